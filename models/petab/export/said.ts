/** What an export says of a problem, whatever the version. */
import type { BlockOf } from '../../blocks/block.ts';
import type { Lane } from './courses.ts';
import type { Naming } from './experiments.ts';

export interface ObservableRow {
  readonly id: string;
  readonly label: string;
  readonly formula: string;
  readonly noise: string;
  readonly family: string;
  readonly placeholders: string;
  readonly noisePlaceholders: string;
}

export interface MeasurementRow {
  readonly observable: string;
  readonly time: string;
  readonly value: string;
  /** What stands for the placeholders. */
  readonly given: string;
  readonly noise: string;
}

export interface NamedParameter {
  readonly id: string;
  readonly block: BlockOf<'parameter'>;
}

export interface Said {
  readonly observables: readonly ObservableRow[];
  readonly measurements: readonly MeasurementRow[];
  readonly parameters: readonly NamedParameter[];
}

/** What was done to the model: the courses and times of the measurements. */
export interface Courses {
  readonly courses: readonly (readonly Lane[])[];
  readonly times: readonly number[];
  readonly naming: Naming;
  /** Whether an event may happen where a period begins. */
  readonly happensAtStarts: boolean;
}

/** A version's files beside the model, name → text. Courses come first: by printing them it is known which parameters they use. */
export type Version = (done: Courses) => (said: Said) => [string, string][];
