/** What a sensitivity study asks, and what it answers. It knows no documents. */
import type { Program } from '../../0-ir/program.ts';
import type { SizeBinding } from '../../0-ir/sizes.ts';
import { coordinates, type Coordinate } from '../../6-fit/coordinates.ts';
import type { Ensemble } from '../../6-fit/ensembles/ensemble.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import type { FitParameter } from '../../6-fit/problem.ts';
import type { Distribution } from './distribution.ts';

export interface SensitivityProblem {
  readonly program: Program;
  /** The result that is studied: a real scalar; for the local method and Sobol's of any shape. */
  readonly output: string;
  readonly parameters: readonly FitParameter[];
  /** All inputs of the program but the parameters. */
  readonly data: ReadonlyMap<string, ArrayLike<number>>;
  readonly sizes: SizeBinding;
  /** For each free element, in the order of `elementsOf`; the local method needs none. */
  readonly distributions: readonly Distribution[];
}

export type SensitivityMethod = 'local' | 'morris' | 'sobol' | 'dgsm' | 'active-subspace';

export interface StudyOptions {
  readonly seed: number;
  readonly cancel?: Int32Array;
  /** The share of the work that is done, 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface SampleOptions extends StudyOptions {
  /** The base sample N: rows of points, or trajectories. */
  readonly samples: number;
}

/** A sample whose rows were run elsewhere, or not all of them. */
export interface ReplayOptions {
  /** Where the runs come from; the device unless said. It is released at the end. */
  readonly ensemble?: Ensemble;
  /** The rows that the study is of; all unless said. */
  readonly parts?: readonly Part[];
}

/** The points of a study, row by row: what is drawn for a row depends on its number and the seed alone. */
export interface Design {
  /** Of the model, for each row. */
  readonly runs: number;
  /** Writes `runs` points of row `row` behind each other, as block `at` of `points`. */
  write(points: Float64Array, at: number, row: number): void;
}

/** A run whose result, or gradient, was not finite. */
export interface FailedRun {
  /** Of the free elements. */
  readonly point: readonly number[];
  readonly reason: string;
}

/** Figures of one element of one parameter: a number; an interval, or a time course, as a list. NaN where undefined. */
export type Figures = Readonly<Record<string, number | readonly number[]>>;

export interface SensitivityResult {
  /** One for each free element, in order. */
  readonly indices: readonly Figures[];
  /** How much of the base sample was run: less than was asked where the user stopped. */
  readonly samples: number;
  /** Evaluations of the model. */
  readonly runs: number;
  /** Of the runs, those that were not finite. They enter no index. */
  readonly failed: number;
  /** The first of them. */
  readonly failures: readonly FailedRun[];
  readonly cancelled: boolean;
  /** Of the output over the sample. */
  readonly mean?: number;
  readonly variance?: number;
  /** Indices after 16, 32, 64, … rows. */
  readonly convergence?: readonly { readonly samples: number; readonly indices: readonly Figures[] }[];
  /** Unit vectors over the free elements, and their eigenvalues, the largest first. */
  readonly directions?: readonly (readonly number[])[];
  readonly eigenvalues?: readonly number[];
}

/** The elements of the parameters that are not fixed. */
export function elementsOf(problem: Pick<SensitivityProblem, 'parameters'>): Coordinate[] {
  return coordinates(problem.parameters);
}
