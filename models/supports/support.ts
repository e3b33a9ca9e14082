/**
 * Parameters that are no free numbers: what a fit varies and a chain moves in are other, free ones v, of which the
 * parameter is computed. The density of v is that of the parameter times |d parameter/dv|, as Stan has it; a mode is that
 * of the parameter itself.
 */
import type { ProgramBuilder, Value } from '../../engine/index.ts';

export interface Support {
  /** Of v, for a parameter of this shape; a sentence where no such parameter has it. */
  readonly free: (shape: readonly number[]) => readonly number[] | string;
  /** v of the parameter's elements, row by row; a sentence where they do not lie in the support. */
  readonly toFree: (values: readonly number[], shape: readonly number[]) => number[] | string;
  /** How far from 0 the numbers of v may go, and what they then have come to; any distance unless said. */
  readonly end?: number;
  readonly edge?: string;
  /** What each number of v is called, where a word says more than its place. */
  readonly words?: (id: string, shape: readonly number[]) => readonly string[];
  /** Numbers of v after the first of each row are distances, of 0 or more. */
  readonly ascending?: true;
  readonly write: (b: ProgramBuilder, v: Value, shape: readonly number[]) => Written;
}

export interface Written {
  /** Of the parameter's shape. */
  readonly value: Value;
  /** log |d parameter/dv|, a scalar. */
  readonly logJacobian: Value;
}

/** A list, or a list in each row. */
export const isRows = (shape: readonly number[]): boolean => shape.length === 1 || shape.length === 2;

/** The rows of an array along its last axis, each `write`n to another. */
export function byRow(
  values: readonly number[],
  shape: readonly number[],
  write: (row: readonly number[]) => number[] | string,
): number[] | string {
  const length = shape.at(-1)!;
  const all: number[] = [];
  for (let at = 0; at < values.length; at += length) {
    const row = write(values.slice(at, at + length));
    if (typeof row === 'string') return row;
    all.push(...row);
  }
  return all;
}
