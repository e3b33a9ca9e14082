/**
 * What a differentiation rule is: a value. Importing one does nothing; the lists in vjp.ts, jvp.ts and vmap.ts name
 * them, and the drivers there hand recursion down, so that no rule imports its driver.
 */
import type { ProgramBuilder } from '../0-ir/builder.ts';
import type { ConstructKind, ConstructOf, Program, Value } from '../0-ir/program.ts';
import type { Size } from '../0-ir/sizes.ts';
import type { Cost } from './cost.ts';

/** A derivative that may be absent: zero, and nothing is computed for it. */
export type Derivative = Value | undefined;

/** What the forward sweep of a rule leaves for its return sweep. */
export interface Primal {
  readonly results: readonly Value[];
  /** Values kept in scope beside operands and results. */
  readonly saved?: readonly Value[];
}

/** The operators that a rule is for: what the sweep of all rules tries it on (test/engine/2-ad/sweep.test.ts). */
export type OperatorClass = 'add' | 'min or max' | 'multiply' | 'invertible' | 'lifted' | 'any';

export interface VjpRule<K extends ConstructKind = ConstructKind> {
  /** As `cotangent rules` prints it and `--rule` takes it; the file's name. */
  readonly name: string;
  readonly construct: K;
  /** Of rules for constructs that combine elements. */
  readonly sweep?: OperatorClass;
  /**
   * The smallest useful program with such a construct, as 0-ir/parse.ts reads it: docs/rules.md shows it, and
   * test/engine/2-ad/examples.test.ts holds the rule to central differences on it.
   */
  readonly example: string;
  /** Whether the rule can be used here at all. Costs decide among those that can. */
  matches(construct: ConstructOf<K>): boolean;
  /** Where it matches it is chosen, whatever the costs: what it gives at the edges of the numbers, the others do not. */
  readonly decides?: boolean;
  /** Of primal and return sweep together, for each element of the domain. */
  cost(construct: ConstructOf<K>): Cost;
  /** How many scalars of structure are stored for each element, of how many: (1, 4) for linFnComp's Jacobian. */
  stored?(construct: ConstructOf<K>): readonly [stored: number, of: number];
  /** Writes the primal, where the rule needs more of it than its results. */
  primal?(b: ProgramBuilder, construct: ConstructOf<K>): Primal;
  /**
   * Writes the return sweep: an adjoint for each operand (in the order of `operandsOf`), of the operand's own shape.
   * Operands here are those of the program under construction. `wanted`: real operands whose adjoint will be used.
   */
  cotangents(
    b: ProgramBuilder,
    construct: ConstructOf<K>,
    primal: Primal,
    cotangents: readonly Derivative[],
    wanted: readonly boolean[],
    around: Around,
  ): readonly Derivative[];
}

/** What a rule is told and given beside the construct. */
export interface Around extends Pick<Recursion, 'vjp'> {
  /** Whether an operand is made of data with missing cells: where no cotangent flows, 0·NaN is to be 0. */
  readonly missing: boolean;
  /** Of the results, whether their cotangent may be infinite where a steep operation is at its edge (`scalar/steep.ts`). */
  readonly steep: readonly boolean[];
}

/** Drivers, handed down to rules of constructs that hold programs. */
export interface Recursion {
  /** Parameters gain a cotangent for each seeded result, results an adjoint for each wanted parameter. */
  vjp(
    program: Program,
    seeded: readonly boolean[],
    wanted: readonly boolean[],
    /** Whether rules forced on blocks hold inside. They do unless said. */
    options?: { readonly forced: boolean },
  ): Program;
  jvp(program: Program, active: readonly boolean[]): { readonly program: Program; readonly active: readonly boolean[] };
  vmap(program: Program, size: Size, batched: readonly boolean[]): Program;
}

/** Writes the construct and its tangents: `tangents` go with `operandsOf(construct)`. */
export type JvpRule<K extends ConstructKind> = (
  b: ProgramBuilder,
  construct: ConstructOf<K>,
  tangents: readonly Derivative[],
  recursion: Pick<Recursion, 'jvp'>,
) => { readonly results: readonly Value[]; readonly tangents: readonly Derivative[] };

/** Writes the construct with a new leading axis of `size` on every result. `batched`: the operands that have it. */
export type VmapRule<K extends ConstructKind> = (
  b: ProgramBuilder,
  construct: ConstructOf<K>,
  size: Size,
  batched: readonly boolean[],
  recursion: Pick<Recursion, 'vmap'>,
) => readonly Value[];
