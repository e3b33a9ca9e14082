/** What a PEtab problem says, version 1 and 2 alike. Formulas are trees with `$id` for the ids of the problem. */
import type { Expression } from '../formula/syntax.ts';

export interface PetabParameter {
  /** File and row. */
  readonly where: string;
  readonly id: string;
  readonly name: string | undefined;
  readonly scale: 'lin' | 'log' | 'log10';
  readonly lower: number;
  readonly upper: number;
  readonly nominal: number | undefined;
  readonly estimated: boolean;
  /** As a parameter block has it. */
  readonly prior: Readonly<Record<string, number | string>> | undefined;
}

export type Distribution = 'normal' | 'log-normal' | 'laplace' | 'log-laplace';

export interface Observable {
  readonly id: string;
  readonly name: string | undefined;
  readonly formula: Expression;
  readonly noise: Expression;
  readonly distribution: Distribution;
  /** Whether the noise is that of the logarithm to base 10. */
  readonly decimal: boolean;
  /** Ids in the formulas that stand for what a measurement says, in its order. */
  readonly observablePlaceholders: readonly string[];
  readonly noisePlaceholders: readonly string[];
}

/** What begins at a time: −∞ until nothing changes any more. */
export interface Period {
  readonly time: number;
  /** Id → what it is set to. */
  readonly changes: ReadonlyMap<string, Expression>;
}

export interface Experiment {
  /** For people. */
  readonly id: string;
  /** In order; at least one, at most the first of which is of −∞, and at least one of which is not. */
  readonly periods: readonly Period[];
}

export interface Measurement {
  readonly where: string;
  readonly observable: string;
  readonly experiment: number;
  readonly time: number;
  readonly value: number;
  /** Placeholder → number or id. */
  readonly overrides: ReadonlyMap<string, Expression>;
}

export interface SubProblem {
  readonly id: string;
  /** The text of its SBML file. */
  readonly model: string;
  readonly observables: ReadonlyMap<string, Observable>;
  readonly experiments: readonly Experiment[];
  readonly measurements: readonly Measurement[];
  /** Ids in what conditions set, measured or not. */
  readonly mentioned: ReadonlySet<string>;
  /** What conditions set, measured or not, by the ids of the tables. */
  readonly targets: ReadonlySet<string>;
  /** Conditions that no experiment has, of version 2. */
  readonly idle: readonly string[];
  /** Where each measurement stands among all of the problem. */
  readonly places: readonly number[];
}

export interface PetabProblem {
  readonly version: 1 | 2;
  readonly parameters: readonly PetabParameter[];
  /** Ids of tables → ids of models. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly parts: readonly SubProblem[];
  readonly warnings: readonly string[];
}
