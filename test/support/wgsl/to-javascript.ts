/**
 * A kernel's WGSL as a JavaScript function of one invocation, with f32, i32 and u32 arithmetic as WGSL has it. Every access
 * to the arena and to workgroup memory goes through the `Machine`; a barrier is a `yield`.
 */
import { compileFunction } from 'node:vm';
import { parseWgsl, type Declaration, type Expression, type Statement, type Typed } from './syntax.ts';

/** Numbers of the address spaces that are no workgroup variable's. */
export const arenaSpace = -1;
export const faultSpace = -2;

/** What an invocation asks of the world. `site` tells one place in the text from another. */
export interface Machine {
  load(at: number, site: number): number;
  store(at: number, value: number, site: number): void;
  /** The word before. `operation`: Add, Min, Max, Load, Store … */
  atomic(operation: string, space: number, at: number, value: number, site: number): number;
  /** Atomic compare-and-exchange of a word of the fault buffer. */
  exchange(at: number, expected: number, value: number): { old_value: number; exchanged: boolean };
  /** The index, once it has been checked. */
  reads(variable: number, at: number): number;
  writes(variable: number, at: number): number;
  /** A word of the uniform block. */
  readonly block: Int32Array;
}

export interface WorkgroupVariable {
  readonly name: string;
  readonly length: number;
  readonly zero: () => unknown;
}

export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface CompiledKernel {
  readonly lanes: number;
  readonly shared: readonly WorkgroupVariable[];
  /** One invocation; a generator where the text has barriers. */
  readonly invocation: (
    machine: Machine,
    shared: readonly unknown[][],
    group: Vector,
    groups: Vector,
    local: number,
  ) => Generator<number, void> | undefined;
}

interface Valued {
  readonly text: string;
  readonly type: string;
}

interface Callable {
  readonly parameters: readonly Typed[];
  readonly result: string;
  readonly waits: boolean;
}

/** Bits of a number and back, and what JavaScript spells otherwise. */
const prelude = `
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

export function compileKernel(wgsl: string): CompiledKernel {
  const writer = new Writer();
  for (const declaration of parseWgsl(wgsl)) writer.declaration(declaration);
  return writer.finish();
}

class Writer {
  private readonly lines: string[] = [];
  private readonly structs = new Map<string, readonly Typed[]>();
  private readonly functions = new Map<string, Callable>();
  private readonly constants = new Map<string, Valued>();
  private readonly shared: (WorkgroupVariable & { readonly element: string; readonly indexed: boolean })[] = [];
  private scopes: Map<string, string>[] = [];
  private waits = false;
  private sites = 0;
  private lanes = 1;
  private main: Callable | undefined;
  private result = 'void';

  declaration(declaration: Declaration): void {
    switch (declaration.kind) {
      case 'struct': {
        const { name, members } = declaration;
        this.structs.set(name, members);
        const copies = members.map((member) => `${member.name}: ${this.copied(`v.${member.name}`, member.type)}`);
        this.lines.push(`const copy_${name} = (v) => ({ ${copies.join(', ')} });`);
        return;
      }
      case 'variable':
        this.variable(declaration);
        return;
      case 'function':
        this.function(declaration);
    }
  }

  finish(): CompiledKernel {
    if (!this.main) throw new SyntaxError('WGSL: no entry point');
    const body = `${prelude}${this.lines.join('\n')}\nreturn (machine, values, group, groups, local) => {
      m = machine; shared = values;
      return $main(group, groups, local);
    };`;
    const make = compileFunction(`let m, shared;\n${body}`) as () => CompiledKernel['invocation'];
    return { lanes: this.lanes, shared: this.shared, invocation: make() };
  }

  private variable({ name, space, type }: Extract<Declaration, { kind: 'variable' }>): void {
    if (space.startsWith('constant ')) {
      this.constants.set(name, { text: space.slice('constant '.length), type });
      return;
    }
    if (space !== 'workgroup') return;
    const array = /^array<(.*),(\d+)>$/.exec(type);
    const element = (array?.[1] ?? type).replace(/^atomic<(.*)>$/, '$1');
    const zero = compileFunction(`return ${this.zero(element)};`) as () => unknown;
    this.shared.push({ name, length: Number(array?.[2] ?? 1), zero, element, indexed: array !== null });
  }

  private function(declaration: Extract<Declaration, { kind: 'function' }>): void {
    const { name, parameters, result = 'void', body, lanes } = declaration;
    this.scopes = [new Map(parameters.map((parameter) => [parameter.name, parameter.type]))];
    this.waits = false;
    this.result = result;
    const text = this.statements(body);
    const callable = { parameters, result, waits: this.waits };
    this.functions.set(name, callable);
    const star = this.waits ? '*' : '';
    this.lines.push(`function${star} $${name}(${parameters.map((p) => `$${p.name}`).join(', ')}) {\n${text}\n}`);
    if (lanes === undefined) return;
    this.main = callable;
    this.lanes = lanes;
    const builtins = parameters.map(({ builtin }) => builtin).join();
    if (builtins !== 'workgroup_id,num_workgroups,local_invocation_index')
      throw new SyntaxError(`WGSL: an entry point of other builtins: ${builtins}`);
  }

  private zero(type: string): string {
    if (type === 'bool') return 'false';
    if (['f32', 'i32', 'u32'].includes(type)) return '0';
    const array = /^array<(.*),(\d+)>$/.exec(type);
    if (array) return `Array.from({ length: ${array[2]} }, () => (${this.zero(array[1] ?? '')}))`;
    const members = this.structs.get(type);
    if (!members) throw new SyntaxError(`WGSL: no zero of ${type}`);
    return `{ ${members.map((member) => `${member.name}: ${this.zero(member.type)}`).join(', ')} }`;
  }

  private copied(text: string, type: string): string {
    if (this.structs.has(type)) return `copy_${type}(${text})`;
    return text;
  }

  private typeOfName(name: string): string | undefined {
    for (const scope of this.scopes.toReversed()) if (scope.has(name)) return scope.get(name);
    return undefined;
  }

  private statements(body: readonly Statement[]): string {
    this.scopes.push(new Map());
    const text = body.map((statement) => this.statement(statement)).join('\n');
    this.scopes.pop();
    return text;
  }

  private statement(statement: Statement): string {
    switch (statement.kind) {
      case 'declare':
        return `${this.declare(statement)};`;
      case 'assign':
        return `${this.assign(statement)};`;
      case 'if':
        return `if (${this.value(statement.condition, 'bool')}) {\n${this.statements(statement.then)}\n} else {\n${this.statements(statement.otherwise)}\n}`;
      case 'for': {
        this.scopes.push(new Map());
        const { begin, condition, step } = statement;
        const head = begin ? (begin.kind === 'declare' ? this.declare(begin) : this.statement(begin).slice(0, -1)) : '';
        const test = condition ? this.value(condition, 'bool') : '';
        const last = step?.kind === 'assign' ? this.assign(step) : '';
        const text = `for (${head}; ${test}; ${last}) {\n${this.statements(statement.body)}\n}`;
        this.scopes.pop();
        return text;
      }
      case 'block':
        return `{\n${this.statements(statement.body)}\n}`;
      case 'call':
        return `${this.expression(statement.call).text};`;
      case 'return':
        return statement.value ? `return ${this.value(statement.value, this.result)};` : 'return;';
      case 'break':
      case 'continue':
        return `${statement.kind};`;
    }
  }

  private declare({ name, type, value }: Extract<Statement, { kind: 'declare' }>): string {
    const found = value && this.expression(value);
    const concrete = type ?? concreteOf(found?.type ?? '');
    const text = found ? this.copied(coerced(found, concrete), concrete) : this.zero(concrete);
    this.scopes.at(-1)?.set(name, concrete);
    return `let $${name} = ${text}`;
  }

  private assign({ to, operator, value }: Extract<Statement, { kind: 'assign' }>): string {
    if (to.kind === 'index' && to.of.kind === 'name' && to.of.name === 'arena') {
      if (operator !== '') throw new SyntaxError('WGSL: arithmetic upon the arena');
      return `m.store(${this.index(to.at)}, ${this.value(value, 'u32')}, ${this.sites++})`;
    }
    const target = this.place(to, true);
    if (operator === '') return `${target.text} = ${this.copied(this.value(value, target.type), target.type)}`;
    const current = this.place(to, false);
    const sum = this.arithmetic(operator, current, this.expression(value));
    return `${target.text} = ${coerced(sum, target.type)}`;
  }

  /** A name, an element or a member, to be read or written. */
  private place(expression: Expression, written: boolean): Valued {
    if (expression.kind === 'member') {
      const of = this.place(expression.of, written);
      return { text: `${of.text}.${expression.name}`, type: this.memberType(of.type, expression.name) };
    }
    if (expression.kind === 'index' && expression.of.kind === 'name') {
      const { name } = expression.of;
      const variable = this.sharedNumber(name);
      const at = this.index(expression.at);
      if (variable >= 0)
        return {
          text: `shared[${variable}][m.${written ? 'writes' : 'reads'}(${variable}, ${at})]`,
          type: this.shared[variable]?.element ?? '',
        };
      const local = this.typeOfName(name) ?? '';
      return { text: `$${name}[${at}]`, type: /^array<(.*),\d+>$/.exec(local)?.[1] ?? '' };
    }
    if (expression.kind !== 'name') throw new SyntaxError(`WGSL: no place: ${expression.kind}`);
    const variable = this.sharedNumber(expression.name);
    if (variable >= 0)
      return {
        text: `shared[${variable}][m.${written ? 'writes' : 'reads'}(${variable}, 0)]`,
        type: this.shared[variable]?.element ?? '',
      };
    const type = this.typeOfName(expression.name);
    if (type === undefined) throw new SyntaxError(`WGSL: ${expression.name} is not declared`);
    return { text: `$${expression.name}`, type };
  }

  private sharedNumber(name: string): number {
    return this.typeOfName(name) === undefined ? this.shared.findIndex((variable) => variable.name === name) : -1;
  }

  private memberType(type: string, name: string): string {
    const vector = /^vec\d<(.*)>$/.exec(type);
    if (vector) return vector[1] ?? '';
    if (type === 'exchange') return name === 'exchanged' ? 'bool' : 'u32';
    const member = this.structs.get(type)?.find((candidate) => candidate.name === name);
    if (!member) throw new SyntaxError(`WGSL: ${type} has no ${name}`);
    return member.type;
  }

  private value(expression: Expression, type: string): string {
    return coerced(this.expression(expression), type);
  }

  /** Of either sign. */
  private index(expression: Expression): string {
    const { text, type } = this.expression(expression);
    if (!['i32', 'u32', 'whole'].includes(type)) throw new SyntaxError(`WGSL: an index of type ${type}`);
    return text;
  }

  private expression(expression: Expression): Valued {
    switch (expression.kind) {
      case 'number':
        return { text: literal(expression.value, expression.type), type: expression.type };
      case 'truth':
        return { text: `${expression.value}`, type: 'bool' };
      case 'name':
        return this.constants.get(expression.name) ?? this.place(expression, false);
      case 'member':
        return this.member(expression);
      case 'index':
        if (expression.of.kind === 'name' && expression.of.name === 'arena')
          return { text: `m.load(${this.index(expression.at)}, ${this.sites++})`, type: 'u32' };
        return this.place(expression, false);
      case 'unary':
        return this.unary(expression);
      case 'binary':
        return this.binary(expression);
      case 'call':
        return this.call(expression);
    }
  }

  private member(expression: Extract<Expression, { kind: 'member' }>): Valued {
    const { of, name } = expression;
    if (of.kind === 'index' && of.of.kind === 'name' && of.of.name === 'p')
      return { text: `m.block[4 * ${this.index(of.at)} + ${'xyzw'.indexOf(name)}]`, type: 'i32' };
    const whole = of.kind === 'call' ? this.call(of) : this.place(of, false);
    return { text: `${whole.text}.${name}`, type: this.memberType(whole.type, name) };
  }

  private unary({ operator, operand }: Extract<Expression, { kind: 'unary' }>): Valued {
    const { text, type } = this.expression(operand);
    if (operator === '!') return { text: `!${text}`, type };
    if (operator === '~') return { text: type === 'u32' ? `(~${text} >>> 0)` : `(~${text})`, type };
    if (operator !== '-') throw new SyntaxError(`WGSL: ${operator} stands alone`);
    return { text: type === 'i32' ? `(-${text} | 0)` : `(-${text})`, type };
  }

  private binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): Valued {
    const [a, b] = [this.expression(left), this.expression(right)];
    if (operator === '&&' || operator === '||') return { text: `(${a.text} ${operator} ${b.text})`, type: 'bool' };
    if (/^(==|!=|<|>|<=|>=)$/.test(operator)) {
      const type = unified(a.type, b.type);
      const spelled = operator === '==' || operator === '!=' ? `${operator}=` : operator;
      return { text: `(${coerced(a, type)} ${spelled} ${coerced(b, type)})`, type: 'bool' };
    }
    return this.arithmetic(operator, a, b);
  }

  private arithmetic(operator: string, a: Valued, b: Valued): Valued {
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

  private call({ name, type, operands }: Extract<Expression, { kind: 'call' }>): Valued {
    if (name === 'workgroupBarrier') {
      this.waits = true;
      return { text: `yield ${this.sites++}`, type: 'void' };
    }
    if (name.startsWith('atomic')) return this.atomic(name, operands);
    const struct = this.structs.get(name);
    if (struct) {
      const members = struct.map(
        (member, i) =>
          `${member.name}: ${this.copied(this.value(operands[i] as Expression, member.type), member.type)}`,
      );
      return { text: `({ ${members.join(', ')} })`, type: name };
    }
    const callable = this.functions.get(name);
    if (callable) {
      const values = callable.parameters.map((parameter, i) => this.value(operands[i] as Expression, parameter.type));
      if (callable.waits) this.waits = true;
      const text = `$${name}(${values.join(', ')})`;
      return { text: callable.waits ? `(yield* ${text})` : text, type: callable.result };
    }
    const values = operands.map((operand) => this.expression(operand));
    const vector = /^vec(\d)$/.test(name) && type !== undefined;
    if (vector) {
      const parts = values.map((part, i) => `${'xyzw'[i]}: ${coerced(part, type)}`);
      return { text: `({ ${parts.join(', ')} })`, type: `${name}<${type}>` };
    }
    if (name === 'array' && type !== undefined) {
      const element = type.split(',')[0] ?? '';
      return { text: `[${values.map((value) => coerced(value, element)).join(', ')}]`, type: `array<${type}>` };
    }
    if (name === 'bitcast') return bitcast(values[0] as Valued, type ?? '');
    return builtin(name, values);
  }

  private atomic(name: string, operands: readonly Expression[]): Valued {
    const [pointer, ...rest] = operands;
    const target = pointer?.kind === 'unary' && pointer.operator === '&' ? pointer.operand : undefined;
    if (target?.kind !== 'index' || target.of.kind !== 'name') throw new SyntaxError(`WGSL: ${name} of what?`);
    const at = this.index(target.at);
    const values = rest.map((operand) => this.value(operand, 'u32'));
    const array = target.of.name;
    if (name === 'atomicCompareExchangeWeak' && array === 'fault')
      return { text: `m.exchange(${at}, ${values.join(', ')})`, type: 'exchange' };
    const space = array === 'arena' ? arenaSpace : array === 'fault' ? faultSpace : this.sharedNumber(array);
    const operation = name.slice('atomic'.length);
    return { text: `m.atomic('${operation}', ${space}, ${at}, ${values[0] ?? 0}, ${this.sites++})`, type: 'u32' };
  }
}

function concreteOf(type: string): string {
  return type === 'whole' ? 'i32' : type === 'decimal' ? 'f32' : type;
}

function unified(a: string, b: string): string {
  if (a === b) return a;
  if (a === 'whole' || (a === 'decimal' && b !== 'whole')) return b;
  if (b === 'whole' || b === 'decimal') return a;
  throw new SyntaxError(`WGSL: ${a} and ${b} together`);
}

function literal(value: number, type: string): string {
  const text = type === 'f32' ? Math.fround(value) : value;
  return Object.is(text, -0) ? '-0' : `${text}`;
}

/** An abstract number becomes one of a type; any other value must have it. */
function coerced({ text, type }: Valued, to: string): string {
  if (type === to || to === '') return text;
  if ((type === 'whole' || type === 'decimal') && to === 'f32') return `f(${text})`;
  if (type === 'whole' && (to === 'i32' || to === 'decimal')) return text;
  if (type === 'whole' && to === 'u32') return `(${text} >>> 0)`;
  throw new SyntaxError(`WGSL: ${type} where ${to} is wanted: ${text}`);
}

function bitcast({ text, type }: Valued, to: string): Valued {
  const word = type === 'f32' || type === 'decimal' ? `toWord(${text})` : text;
  return { text: to === 'f32' ? `toFloat(${word})` : to === 'i32' ? `(${word} | 0)` : `(${word} >>> 0)`, type: to };
}

function builtin(name: string, values: readonly Valued[]): Valued {
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
      return { text: converted(values[0] as Valued, name), type: name };
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
