/**
 * What every kind of block has: its schema, the wires it takes, what it infers from their types, and the array program
 * that it means. One file a kind; index.ts is the list.
 */
import type * as v from 'valibot';
import type { ElementType, ProgramBuilder, Shape, Size, Value } from '../../engine/index.ts';
import type { KindName } from '../facts/kinds.ts';
import type { ProblemDetails } from '../notation/problem.ts';
import type { LoweredTerm } from '../objective/term.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import type { Table } from '../tables/table.ts';
import type { TypedColumn, ColumnFault, ColumnType } from '../tables/type-column.ts';

/** The size of an axis. Only the literal 1 broadcasts: a table of one row behaves as one of a hundred. */
export interface AxisSize {
  readonly value: number;
  /** What people call it: the table, the category, the range it comes from. */
  readonly name?: string;
  /** Written in the document, not counted from data. */
  readonly literal: boolean;
}

export type Sizes = readonly AxisSize[];

/** What is known of one output of a block before anything runs. */
export interface Output {
  /** Empty where the block has one output without a name. */
  readonly name: string;
  readonly element: ElementType;
  readonly sizes: Sizes;
  /** Depends on a parameter: not data. */
  readonly computed: boolean;
  /** The labels of a category's codes. */
  readonly category?: readonly string[];
  /** Of an array with one element for each label of a category: those labels, by which a formula names an element. */
  readonly labels?: readonly string[];
  /** The dates that the rows stand for. */
  readonly dates?: readonly string[];
  /** The values, where they are written in the document or a table: row-major. */
  readonly data?: Float64Array | Int32Array;
  /** A real that holds whole numbers by the form of its formula (floor, round, …) and goes where an int is wanted. */
  readonly whole?: boolean;
  /** Of an int that is not `data`: what its values lie between, as far as data tell. */
  readonly range?: readonly [low: number, high: number];
  readonly unit?: string;
  /** Is a parameter as it is. */
  readonly parameter?: true;
  /** Had by its full name alone (`u.sd.b`): after all others, neither listed among a block's values nor meant by its bare id. */
  readonly aside?: true;
}

/** One end of a wire. `port` is unique in its block; for a name in a formula it is that name. */
export interface Wire {
  readonly port: string;
  readonly ref: string;
  /** The port takes the block of its own name: nobody wrote the reference. */
  readonly implicit?: boolean;
  /** Which formula uses the name, and where. */
  readonly output?: string;
  readonly span?: [number, number];
}

export interface InferContext {
  /** `h`, or `g/h` in a group. */
  readonly id: string;
  /** Undefined where there is no such wire, or its block is at fault (which has been said). */
  input(port: string): Output | undefined;
  /** As `input`, for several; undefined if one of them is. */
  inputs(ports: readonly string[]): Output[] | undefined;
  /**
   * The values, row-major, of what is written from these ports, which depend on no parameter. Reports, and returns
   * undefined, where they are at fault.
   */
  compute(ports: readonly string[], write: (context: LowerContext) => Value): ArrayLike<number> | undefined;
  /** Every name that a wire may take here, for suggestions. */
  names(): readonly string[];
  table(name: string): Table | undefined;
  tableNames(): string[];
  column(table: Table, name: string, type: ColumnType | undefined): TypedColumn | ColumnFault;
  /** Reports an error and returns undefined, so that it can be returned. `message` begins without the block's id. */
  fail(message: string, details?: ProblemDetails): undefined;
  warn(message: string, details?: ProblemDetails): void;
}

export interface LowerContext {
  readonly id: string;
  readonly builder: ProgramBuilder;
  input(port: string): Value;
  output(port: string): Output;
  size(size: AxisSize): Size;
  /** A size of its own, which a device makes larger where a gather finds its index out of range (5-runtime/growth.ts). */
  growing(name: string, value: number): Size;
  shape(sizes: Sizes): Shape;
  /** The number of elements along an axis, as an int scalar. */
  extent(size: AxisSize): Value;
  /** The positions along an axis. */
  index(size: AxisSize): Value;
  /** An input of the program, filled with `values`. */
  source(name: string, element: ElementType, sizes: Sizes, values: () => ArrayLike<number>): Value;
}

export interface Inferred<Detail> {
  readonly outputs: readonly Output[];
  readonly detail: Detail;
}

/** Fields of every block. */
export interface BlockBase {
  readonly id: string;
  readonly kind: string;
  readonly label?: string;
  readonly note?: string;
  readonly unit?: string;
}

export interface BlockKind<B extends BlockBase, Detail = unknown> {
  /** One of which models/facts/kinds.ts knows. */
  readonly kind: B['kind'] & KindName;
  readonly schema: v.GenericSchema<unknown, B>;
  /** In the order in which ports are drawn. */
  wires(block: B): readonly Wire[];
  /** Undefined where the block is at fault or a wire of it is. Called when all of its wires have been inferred. */
  infer(block: B, context: InferContext): Inferred<Detail> | undefined;
  /** One value for each output that is not aside. */
  lower(block: B, detail: Detail, context: LowerContext): readonly Value[];
  /** The value of an output that is aside, by its name. */
  lowerAside?(detail: Detail, context: LowerContext, name: string): Value;
  /**
   * For a block that solves by steps: an estimate of its largest error in absolute value, its largest state, and where it
   * stopped before its end why (`solverFaults`; 0 where it did not) and when, or of `turning` which unknown: real [4].
   */
  solverError?(block: B, detail: Detail, context: LowerContext): Value;
  /** The parameters that it brings: what a fit may change. */
  parameters?(detail: Detail): readonly ParameterInfo[];
  /** For a block that draws values: −log of their density, a real scalar; with a weight for each group, if there are some. */
  density?(block: B, detail: Detail, context: LowerContext, weights?: Value): Value;
  /** For a block that measures misfit. */
  objective?(block: B, detail: Detail, context: LowerContext): LoweredTerm;
}

/** States the types of a kind once. */
export function blockKind<B extends BlockBase, Detail>(kind: BlockKind<B, Detail>): BlockKind<B, Detail> {
  return kind;
}
