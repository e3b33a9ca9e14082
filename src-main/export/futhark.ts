/** `export --to futhark`: the model as a Futhark program, which differentiates it by its own `vjp`. */
import { sizeValue, type Value } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FutharkBody } from './futhark/place.ts';
import { futharkHelpers, futharkNumber, futharkTuple, futharkTypes } from './futhark/scalar.ts';
import { argsort } from './futhark/sort-permutation.ts';
import { writeFuthark } from './futhark/write.ts';
import { Identifiers } from './identifiers.ts';
import { describeBlock, modelProgram, titleOf, type ModelProgram } from './model-program.ts';

/** What no generated name may be: words of the language, and what a program uses of its library. */
export const futharkWords: readonly string[] =
  `and assert case def do else entry false for if import in include let local loop match module open then true type
unsafe val while with f64 i32 i64 u32 bool map map2 map3 reduce scan hist scatter tabulate replicate iota copy vjp argsort
model objective gradient outputs posterior held shown emitted key old new row s t f g x y i j k l o p q r`.split(/\s+/);

const comment = (text: string): string => `-- ${text.replaceAll(/\s*\n\s*/g, ' ')}`;

export function exportFuthark(model: Model, version: string, grown: ModelProgram['sizes'] = {}): string {
  const lowered = modelProgram(model, grown);
  const names = new Identifiers([...futharkWords, ...Object.keys(futharkHelpers)]);
  const known = new Map<number, string>();
  const data = lowered.data.map(([name, value, { values, shape }]) => {
    const identifier = names.take(name);
    known.set(value.id, identifier);
    return `def ${identifier}: ${typeText(value, shape)} = ${literal(value, values, shape)}`;
  });
  const definition = writeModel(model, lowered, names, known);
  const helpers = [...Object.entries(futharkHelpers), ['argsort', argsort] as const].flatMap(([name, text]) =>
    new RegExp(`\\b${name}\\b`).test(definition) ? [text] : [],
  );
  const elements = lowered.data.reduce((sum, [, , { values }]) => sum + values.length, 0);
  const head = [
    comment(titleOf(model)),
    comment(`Written by Cotangent ${version}. The data are embedded: ${data.length} arrays, ${elements} elements.`),
    ...lowered.parameters.map(({ id, initial, shape }) => comment(`${id}: initially ${nested(initial, shape)}`)),
  ];
  return `${[head.join('\n'), ...helpers, data.join('\n'), definition, ...entries(lowered, names)].filter((part) => part !== '').join('\n\n')}\n`;
}

const typeText = (value: Value, shape: readonly number[]): string =>
  `${shape.map((size) => `[${size}]`).join('')}${futharkTypes[value.type.element]}`;

const nested = (values: readonly number[], shape: readonly number[]): string =>
  shape.length === 0 ? String(values[0]) : `[${values.join(', ')}]`;

/** Row-major elements as nested brackets; an array without elements has no literal and is tabulated. */
function literal(value: Value, values: ArrayLike<number>, shape: readonly number[]): string {
  const { element } = value.type;
  if (shape.includes(0))
    return shape.reduceRight<string>((inner, size) => `replicate ${size} (${inner})`, futharkNumber(0, element));
  const write = (start: number, axes: readonly number[]): string => {
    const [size, ...inner] = axes;
    if (size === undefined) return futharkNumber(values[start]!, element);
    const stride = inner.reduce((product, each) => product * each, 1);
    return `[${Array.from({ length: size }, (_, i) => write(start + i * stride, inner)).join(', ')}]`;
  };
  return write(0, shape);
}

function parameterList({ program, parameters }: ModelProgram): Value[] {
  return parameters.flatMap(({ id }) => program.parameters.find(({ name }) => name === id)?.value ?? []);
}

function writeModel(model: Model, lowered: ModelProgram, names: Identifiers, known: Map<number, string>): string {
  const { program, outputs, sizes, parameters } = lowered;
  const inner = names.inner();
  const bound = (size: number | string): number => sizeValue(size, sizes);
  const values = parameterList(lowered);
  const signature = values.map((value, i) => {
    const name = inner.take(parameters[i]?.id ?? 'value');
    known.set(value.id, name);
    return `(${name}: ${typeText(value, parameters[i]?.shape ?? [])})`;
  });
  const body: FutharkBody = { names: inner, known, lines: [], size: bound };
  const wished = new Map<number, string>([...outputs].reverse().map(([reference, { id }]) => [id, reference] as const));
  const blocks = new Map(model.graph.nodes.map(({ id, block }) => [id, block] as const));
  let last: string | undefined;
  writeFuthark(
    program,
    body,
    ({ id }, origin) => wished.get(id) ?? origin ?? 'total',
    (origin) => {
      const block = origin === undefined || origin === last ? undefined : blocks.get(origin);
      last = origin;
      if (block) body.lines.push('', comment(`${origin}, ${describeBlock(block)}`));
    },
  );
  const results = [...outputs.map(([, value]) => value), ...(lowered.objective ? [lowered.objective] : [])];
  const given = futharkTuple(results.map((value) => known.get(value.id)!));
  const lines = [...body.lines, `in ${given}`].map((line) => (line === '' ? '' : `  ${line}`));
  // Without statements there is nothing for `in` to follow.
  if (program.statements.length === 0) lines.splice(0, lines.length, `  ${given}`);
  return `def model ${signature.join(' ')}${signature.length > 0 ? ' ' : ''}=\n${lines.join('\n')}`;
}

function entries(lowered: ModelProgram, names: Identifiers): string[] {
  const inner = names.inner();
  const values = parameterList(lowered);
  const parameters = lowered.parameters.map(({ id }) => inner.take(id));
  const types = values.map((value, i) => typeText(value, lowered.parameters[i]?.shape ?? []));
  const signature = parameters.map((name, i) => ` (${name}: ${types[i]})`).join('');
  const call = ['model', ...parameters].join(' ');
  const count = lowered.outputs.length + (lowered.objective ? 1 : 0);
  const part = (k: number): string => (count === 1 ? `(${call})` : `(${call}).${k}`);
  const outputTypes = lowered.outputs.map(([, value]) =>
    typeText(
      value,
      value.type.shape.map((size) => sizeValue(size, lowered.sizes)),
    ),
  );
  const text: string[] = [];
  if (lowered.outputs.length > 0)
    text.push(
      `${comment(`In this order: ${lowered.outputs.map(([reference]) => reference).join(', ')}.`)}\nentry outputs${signature}: ${futharkTuple(outputTypes)} =\n  ${futharkTuple(outputTypes.map((_, k) => part(k)))}`,
    );
  if (!lowered.objective) return text;
  text.push(
    `${comment(`The objective: ${lowered.meaning}.`)}\nentry objective${signature}: f64 =\n  ${part(count - 1)}`,
  );
  if (parameters.length > 0) {
    const applied = parameters.join(' ');
    text.push(
      `${comment('Its gradient, in the order of the parameters.')}\nentry gradient${signature}: ${futharkTuple(types)} =\n  vjp (\\${futharkTuple(parameters)} -> objective ${applied}) ${futharkTuple(parameters)} 1f64`,
    );
  }
  return text;
}
