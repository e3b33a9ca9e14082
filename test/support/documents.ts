/** Documents in tests: loaded from plain objects, run by the reference interpreter. */
import { interpret } from '../../engine/4-backends/reference/interpret.ts';
import { readDocument } from '../../models/format/parse.ts';
import type { Problem } from '../../models/notation/problem.ts';
import { loadModel, type LoadOptions, type LoadResult, type Model } from '../../models/load/model.ts';
import { lowerModel, type LowerRequest } from '../../models/lower/lower.ts';
import { TableError } from '../../models/tables/table.ts';

export type PlainBlock = Record<string, unknown>;

/** Files by name, as text. */
export type Files = Readonly<Record<string, string>>;

export function plainDocument(blocks: readonly PlainBlock[], more: Record<string, unknown> = {}): unknown {
  return { format: 'cotangent/1', blocks, ...more };
}

export async function load(
  blocks: readonly PlainBlock[],
  more: Record<string, unknown> = {},
  files: Files = {},
  options: LoadOptions = {},
): Promise<LoadResult> {
  const read = readDocument(plainDocument(blocks, more));
  if ('problems' in read) return { model: undefined, problems: read.problems, blocks: [], tables: new Map() };
  const readFile = (file: string): Promise<Uint8Array> => {
    const text = files[file];
    return text === undefined
      ? Promise.reject(new TableError('there is no such file'))
      : Promise.resolve(new TextEncoder().encode(text));
  };
  return loadModel(read.document, readFile, options);
}

/** Throws with the problems where the document is not right. */
export async function model(
  blocks: readonly PlainBlock[],
  more: Record<string, unknown> = {},
  files: Files = {},
): Promise<Model> {
  const result = await load(blocks, more, files);
  if (!result.model) throw new Error(result.problems.map((problem: Problem) => problem.message).join('\n'));
  return result.model;
}

export function run(loaded: Model, request: LowerRequest): Record<string, number | number[]> {
  const { program, inputs, sizes } = lowerModel(loaded, request);
  const results = interpret(program, new Map([...inputs].map(([name, { values }]) => [name, values])), sizes);
  return Object.fromEntries(
    [...results].map(([name, { shape, values }]) => [name, shape.length === 0 ? values[0]! : Array.from(values)]),
  );
}

/** The value of one output. */
export async function evaluate(
  blocks: readonly PlainBlock[],
  output: string,
  more: Record<string, unknown> = {},
  files: Files = {},
): Promise<number | number[]> {
  return run(await model(blocks, more, files), { outputs: [output] })[output]!;
}

export async function problemsOf(
  blocks: readonly PlainBlock[],
  more: Record<string, unknown> = {},
  files: Files = {},
): Promise<readonly Problem[]> {
  return (await load(blocks, more, files)).problems;
}

export const c = (id: string, value: unknown, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'constant',
  value,
  ...more,
});
