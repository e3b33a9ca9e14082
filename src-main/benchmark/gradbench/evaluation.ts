/** What an evaluation of GradBench (https://github.com/gradbench/gradbench) is to the engine. */
import { builtinOperator, type Named, type Program, type ProgramBuilder, type Value } from '../../../engine/index.ts';
import type { GenericSchema, InferOutput } from 'valibot';

/** One function at one input: a program of literal sizes, with all that is written to it. */
export interface Asked {
  readonly program: Program;
  readonly inputs: Readonly<Record<string, ArrayLike<number>>>;
  /** Sizes to begin with of those that grow: all others are literal. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** What is answered, made of the program's results. */
  readonly answer: (result: (name: string) => Float64Array) => unknown;
}

/** A module of the protocol, by the names of its functions. */
export interface Evaluation<S extends GenericSchema = GenericSchema> {
  readonly name: string;
  readonly input: S;
  readonly functions: Readonly<Record<string, (input: InferOutput<S>) => Asked>>;
}

/** So that each function is checked against the schema beside it. */
export const evaluation = <S extends GenericSchema>(of: Evaluation<S>): Evaluation<S> => of;

/** Σ along an axis, all axes unless said. */
export function sum(b: ProgramBuilder, value: Value, axis?: number): Value {
  const along = (of: Value, at: number): Value => b.reduce(builtinOperator('add'), [of], at)[0]!;
  return axis === undefined
    ? value.type.shape.reduceRight<Value>((of, _, at) => along(of, at), value)
    : along(value, axis);
}

/** log Σ exp along an axis, by its maximum. */
export function logSumExp(b: ProgramBuilder, value: Value, axis: number): Value {
  const [most] = b.reduce(builtinOperator('max'), [value], axis) as [Value];
  const { shape } = most.type;
  const shifted = b.apply('sub', value, b.reshape(most, [...shape.slice(0, axis), 1, ...shape.slice(axis)]));
  return b.apply('add', most, b.apply('log', sum(b, b.apply('exp', shifted), axis)));
}

/** The one result of these programs. */
export const VALUE = 'value';

export const valueOf = (value: Value): Named[] => [{ name: VALUE, value }];

/** Rows of a matrix that is stored by rows. */
export function rowsOf(values: Float64Array, width: number): number[][] {
  return Array.from({ length: width === 0 ? 0 : values.length / width }, (_, i) => [
    ...values.subarray(i * width, (i + 1) * width),
  ]);
}
