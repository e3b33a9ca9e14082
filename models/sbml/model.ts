/** What an SBML file says, with the defaults of its level filled in. Mathematics as in syntax.ts. */
import type { Expression } from '../formula/syntax.ts';
import type { Lambda } from './mathml.ts';

export interface Compartment {
  readonly id: string;
  readonly name: string | undefined;
  readonly size: number | undefined;
  readonly dimensions: number | undefined;
  readonly constant: boolean;
  readonly units: string | undefined;
}

export interface Species {
  readonly id: string;
  readonly name: string | undefined;
  readonly compartment: string;
  readonly amount: number | undefined;
  readonly concentration: number | undefined;
  /** Whether its symbol means its amount. */
  readonly isAmount: boolean;
  readonly boundary: boolean;
  readonly constant: boolean;
  readonly conversionFactor: string | undefined;
  readonly units: string | undefined;
}

export interface Parameter {
  readonly id: string;
  readonly name: string | undefined;
  readonly value: number | undefined;
  readonly constant: boolean;
  readonly units: string | undefined;
}

export interface SpeciesReference {
  readonly id: string | undefined;
  readonly species: string;
  /** A number, or what Level 2 gives as mathematics. */
  readonly stoichiometry: number | Expression | undefined;
  readonly constant: boolean;
  readonly side: -1 | 1;
}

export interface Reaction {
  readonly id: string;
  readonly name: string | undefined;
  /** At equilibrium at every time. */
  readonly fast: boolean;
  readonly references: readonly SpeciesReference[];
  readonly reversible: boolean;
  readonly rate: Expression | undefined;
  /** Known in its rate alone; `id` is `R.k`. */
  readonly parameters: readonly Parameter[];
}

export interface Rule {
  readonly kind: 'assignment' | 'rate';
  readonly variable: string;
  readonly math: Expression;
}

export interface Assignment {
  readonly variable: string;
  readonly math: Expression;
}

export interface SbmlEvent {
  readonly id: string;
  readonly name: string | undefined;
  readonly trigger: Expression;
  readonly initial: boolean;
  readonly persistent: boolean;
  readonly atTrigger: boolean;
  readonly delay: Expression | undefined;
  readonly priority: Expression | undefined;
  readonly assignments: readonly Assignment[];
}

export interface SbmlModel {
  readonly level: number;
  readonly version: number;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly conversionFactor: string | undefined;
  /** Unit definitions by id, as text that formulas' units know; undefined where there is no such text. */
  readonly units: ReadonlyMap<string, string | undefined>;
  readonly functions: ReadonlyMap<string, Lambda>;
  readonly compartments: readonly Compartment[];
  readonly species: readonly Species[];
  readonly parameters: readonly Parameter[];
  readonly initialAssignments: readonly Assignment[];
  readonly rules: readonly Rule[];
  /** Of algebraic rules what is to be 0. */
  readonly algebraic: readonly Expression[];
  readonly reactions: readonly Reaction[];
  readonly events: readonly SbmlEvent[];
  readonly warnings: readonly string[];
  /** Of submodels: further names → ids. */
  readonly aliases: ReadonlyMap<string, string>;
}
