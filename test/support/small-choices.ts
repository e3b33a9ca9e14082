/** What the small random programs are made with: values, choices, and operands that fit. */
import type { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../engine/0-ir/program.ts';
import { broadcastShape, broadcastsTo, type ArrayType, type ElementType, type Shape } from '../../engine/0-ir/types.ts';

export const reals = [0, -0, 1, -1, 2, 0.5, 3, Infinity, NaN];
export const ints = [-1, 0, 1, 2, 3];

export type Pick = <T>(choices: readonly T[]) => T;

/** Makes one construct from values of the pool, or nothing where none fits. */
export type Make = (making: Making) => Value[];

export interface Making {
  readonly b: ProgramBuilder;
  readonly pool: readonly Value[];
  readonly pick: Pick;
  /** A program for the body of a loop or to be called. */
  program(parameters: readonly (readonly [string, ArrayType])[]): Program;
}

export const elementTypes = (values: readonly Value[]): ElementType[] => values.map((value) => value.type.element);

export function some({ pool, pick }: Making, holds: (value: Value) => boolean): Value | undefined {
  const fit = pool.filter(holds);
  return fit.length > 0 ? pick(fit) : undefined;
}

/** Up to `count` values that broadcast together, with their domain. */
export function broadcastable(making: Making, count: number, base?: Shape): { inputs: Value[]; shape: Shape } {
  let shape: Shape = base ?? [];
  const inputs: Value[] = [];
  for (let i = 0; i < count; i++) {
    const value = some(making, (v) =>
      base ? broadcastsTo(v.type.shape, base) : broadcastShape(shape, v.type.shape) !== undefined,
    );
    if (!value) continue;
    inputs.push(value);
    shape = broadcastShape(shape, value.type.shape) as Shape;
  }
  return { inputs, shape };
}
