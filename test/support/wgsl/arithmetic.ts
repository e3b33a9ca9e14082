/** Operators and built-in functions of WGSL in JavaScript: arithmetic of f32, i32 and u32 as WGSL has it. */
import { coerced, concreteOf, unified, type Valued } from './values.ts';

/** Bits of a number and back, and what JavaScript spells otherwise. */
export const prelude = `
const floats = new Float32Array(1);
const words = new Uint32Array(floats.buffer);
const toWord = (x) => ((floats[0] = x), words[0]);
const toFloat = (x) => ((words[0] = x), floats[0]);
const f = Math.fround;
const sel = (no, yes, which) => (which ? yes : no);
const idiv = (a, b) => (b === 0 ? a : (a / b) | 0);
const irem = (a, b) => (b === 0 ? 0 : (a % b) | 0);
const udiv = (a, b) => (b === 0 ? a : Math.floor(a / b) >>> 0);
const urem = (a, b) => (b === 0 ? 0 : a % b);
const toInt = (x) => (x !== x ? 0 : Math.max(-2147483648, Math.min(2147483647, Math.trunc(x))));
const toUint = (x) => (x !== x ? 0 : Math.max(0, Math.min(4294967295, Math.trunc(x))));
`;

export function prefixed(operator: string, { text, type }: Valued): Valued {
  if (operator === '!') return { text: `!${text}`, type };
  if (operator === '~') return { text: type === 'u32' ? `(~${text} >>> 0)` : `(~${text})`, type };
  if (operator !== '-') throw new SyntaxError(`WGSL: ${operator} stands alone`);
  return { text: type === 'i32' ? `(-${text} | 0)` : `(-${text})`, type };
}

export function infixed(operator: string, a: Valued, b: Valued): Valued {
  if (operator === '&&' || operator === '||') return { text: `(${a.text} ${operator} ${b.text})`, type: 'bool' };
  if (/^(==|!=|<|>|<=|>=)$/.test(operator)) {
    const type = unified(a.type, b.type);
    const spelled = operator === '==' || operator === '!=' ? `${operator}=` : operator;
    return { text: `(${coerced(a, type)} ${spelled} ${coerced(b, type)})`, type: 'bool' };
  }
  return arithmetic(operator, a, b);
}

export function arithmetic(operator: string, a: Valued, b: Valued): Valued {
  if (operator === '<<' || operator === '>>') {
    const type = a.type;
    const shifted =
      operator === '<<' ? `${a.text} << ${b.text}` : `${a.text} ${type === 'u32' ? '>>>' : '>>'} ${b.text}`;
    return { text: type === 'u32' ? `((${shifted}) >>> 0)` : `(${shifted})`, type };
  }
  const type = unified(a.type, b.type);
  const [x, y] = [coerced(a, type), coerced(b, type)];
  if (type === 'bool') return { text: `Boolean(${x} ${operator} ${y})`, type };
  if (type === 'f32') return { text: `f(${x} ${operator} ${y})`, type };
  if (type === 'whole' && operator === '/') return { text: `idiv(${x}, ${y})`, type };
  if (type === 'whole' || type === 'decimal') return { text: `(${x} ${operator} ${y})`, type };
  const unsigned = type === 'u32';
  const text =
    operator === '*'
      ? `Math.imul(${x}, ${y})`
      : operator === '/'
        ? `${unsigned ? 'udiv' : 'idiv'}(${x}, ${y})`
        : operator === '%'
          ? `${unsigned ? 'urem' : 'irem'}(${x}, ${y})`
          : `(${x} ${operator} ${y})`;
  return { text: unsigned ? `(${text} >>> 0)` : `(${text} | 0)`, type };
}

export function bitcast({ text, type }: Valued, to: string): Valued {
  const word = type === 'f32' || type === 'decimal' ? `toWord(${text})` : text;
  return { text: to === 'f32' ? `toFloat(${word})` : to === 'i32' ? `(${word} | 0)` : `(${word} >>> 0)`, type: to };
}

export function builtin(name: string, values: readonly Valued[]): Valued {
  const types = values.map(({ type }) => type);
  switch (name) {
    case 'select': {
      const type = unified(types[0] ?? '', types[1] ?? '');
      const [no, yes] = values.slice(0, 2).map((value) => coerced(value, concreteOf(type)));
      return { text: `sel(${no}, ${yes}, ${values[2]?.text})`, type: concreteOf(type) };
    }
    case 'f32':
    case 'i32':
    case 'u32':
    case 'bool':
      return { text: converted(values[0]!, name), type: name };
  }
  const type = concreteOf(types.reduce(unified));
  const texts = values.map((value) => coerced(value, type));
  const [x, y, z] = texts;
  const plain = ['min', 'max', 'abs', 'sign', 'floor', 'ceil', 'trunc'];
  if (plain.includes(name)) return { text: `Math.${name}(${texts.join(', ')})`, type };
  switch (name) {
    case 'clamp':
      return { text: `Math.min(Math.max(${x}, ${y}), ${z})`, type };
    case 'sqrt':
      return { text: `f(Math.sqrt(${x}))`, type };
    case 'fma':
      return { text: `f(${x} * ${y} + ${z})`, type };
    case 'countLeadingZeros':
      return { text: `Math.clz32(${x})`, type };
    case 'firstTrailingBit':
      return { text: `((31 - Math.clz32(${x} & -${x})) >>> 0)`, type };
    default:
      throw new SyntaxError(`WGSL: ${name} is not known here`);
  }
}

function converted({ text, type }: Valued, to: 'f32' | 'i32' | 'u32' | 'bool'): string {
  if (to === 'bool') return `(${text} !== 0)`;
  if (to === 'f32') return `f(${type === 'bool' ? `+${text}` : text})`;
  if (type === 'f32' || type === 'decimal') return `${to === 'i32' ? 'toInt' : 'toUint'}(${text})`;
  return to === 'i32' ? `(${text} | 0)` : `(${text} >>> 0)`;
}
