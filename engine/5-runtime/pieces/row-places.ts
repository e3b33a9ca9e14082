/**
 * Where in a program the rows of one axis are looked at one by one, and where they are combined. A program that combines
 * them by reductions alone can be run in pieces of rows:
 *
 *   x₀ ⊙ x₁ ⊙ … = (x₀ ⊙ … ⊙ xₖ₋₁) ⊙ (xₖ ⊙ …) ⊙ …                                                  (⊙ is associative)
 *
 * What needs a total of all rows waits for the pass in which it becomes known: a value's pass is the number of times that
 * all rows must have been gone through before it can be computed.
 */
import { sizesOf } from '../../0-ir/construct-parts.ts';
import { operandsOf } from '../../0-ir/operands.ts';
import { recognise } from '../../0-ir/operators.ts';
import type { Construct, Program, Statement, Value } from '../../0-ir/program.ts';
import { sizeSymbols, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';

export interface Place {
  /** The axis along which the rows lie; undefined of what has no rows. */
  readonly axis?: number;
  readonly pass: number;
}

/** A statement whose results are totals over the rows, computed piece by piece in this pass. */
export interface Total {
  readonly statement: Statement;
  readonly pass: number;
}

export interface RowPlaces {
  readonly places: ReadonlyMap<number, Place>;
  readonly totals: readonly Total[];
}

/** Undefined where rows look at one another in another way, or at how many there are. */
export function rowPlaces(program: Program, symbol: string): RowPlaces | undefined {
  const places = new Map<number, Place>();
  const totals: Total[] = [];
  for (const { value } of program.parameters) {
    const axis = axisOf(value.type.shape, symbol);
    if (axis === 'elsewhere' || (axis !== undefined && axis > 0)) return undefined;
    places.set(value.id, placeAt(axis, 0));
  }
  for (const statement of program.statements) {
    const operands = operandsOf(statement.construct);
    const known = (value: Value): Place => places.get(value.id)!;
    const pass = Math.max(0, ...operands.map((operand) => known(operand).pass));
    const role = roleOf(statement.construct, { symbol, operands, axisAt: (value) => known(value).axis });
    if (role === undefined) return undefined;
    if (role === 'total') totals.push({ statement, pass });
    for (const result of statement.results) {
      const axis = axisOf(result.type.shape, symbol);
      if (axis === 'elsewhere' || (axis !== undefined) !== (role === 'rows')) return undefined;
      places.set(result.id, placeAt(axis, role === 'total' ? pass + 1 : pass));
    }
  }
  return { places, totals };
}

const placeAt = (axis: number | undefined, pass: number): Place => (axis === undefined ? { pass } : { axis, pass });

/** The one axis whose size the symbol is; `elsewhere` where it is part of a size, or the size of several. */
function axisOf(shape: Shape, symbol: string): number | 'elsewhere' | undefined {
  const at = shape.flatMap((size, axis) => (mentions(size, symbol) ? [axis] : []));
  if (at.length === 0) return undefined;
  return at.length === 1 && shape[at[0]!] === symbol ? at[0] : 'elsewhere';
}

const mentions = (size: Size, symbol: string): boolean => sizeSymbols(size).includes(symbol);

interface Rows {
  readonly symbol: string;
  readonly operands: readonly Value[];
  /** The axis of a value's rows, if it has them. */
  readonly axisAt: (value: Value) => number | undefined;
}

/** Without rows; a row of the result for each row of the operands; or a total of all rows. */
type Role = 'still' | 'rows' | 'total';

function roleOf(construct: Construct, { symbol, operands, axisAt }: Rows): Role | undefined {
  const stated = sizesOf(construct).filter((size) => mentions(size, symbol));
  if (stated.some((size) => size !== symbol)) return undefined;
  if (stated.length === 0 && operands.every((operand) => axisAt(operand) === undefined)) return 'still';
  /** Whether values that broadcast to a domain have their rows where it has them. */
  const aligned = (shape: Shape, values: readonly Value[]): boolean =>
    values.every((value) => {
      const axis = axisAt(value);
      return axis === undefined || shape[axis + shape.length - value.type.shape.length] === symbol;
    });
  switch (construct.kind) {
    case 'map':
    case 'solve':
    case 'replicate':
      return aligned(construct.shape, operands) ? 'rows' : undefined;
    case 'iota':
      return 'rows';
    case 'reduce':
      if (!aligned(construct.shape, operands)) return undefined;
      return construct.shape[construct.axis] === symbol ? 'total' : 'rows';
    case 'scan':
      return aligned(construct.shape, operands) && construct.shape[construct.axis] !== symbol ? 'rows' : undefined;
    case 'recurrence': {
      const { shape, axis, inputs, initial, invariants } = construct;
      const along = aligned(shape, inputs) && aligned(withoutAxis(shape, axis), [...initial, ...invariants]);
      return along && shape[axis] !== symbol ? 'rows' : undefined;
    }
    case 'histogram': {
      // A bin that is empty in two pieces combines two neutral elements, which is well known of built-in operators alone.
      const adds = recognise(construct.operator) !== undefined && !construct.initial;
      return construct.batch === 0 && adds && axisAt(construct.keys) === 0 && aligned(construct.shape, construct.inputs)
        ? 'total'
        : undefined;
    }
    case 'gather':
      return construct.batch === 0 && axisAt(construct.from) === undefined ? 'rows' : undefined;
    case 'matmul': {
      const [last, across] = [construct.left.type.shape.length - 1, construct.right.type.shape.length - 2];
      const [left, right] = [axisAt(construct.left), axisAt(construct.right)];
      if (left === last && right === across) return 'total';
      return left !== last && right === undefined ? 'rows' : undefined;
    }
    case 'transpose':
      return 'rows';
    case 'reverse':
    case 'slice':
      return axisAt(construct.value) === construct.axis ? undefined : 'rows';
    case 'concatenate':
      return construct.values.every((value) => axisAt(value) !== undefined && axisAt(value) !== construct.axis)
        ? 'rows'
        : undefined;
    case 'reshape':
      return axisAt(construct.value) === 0 && construct.shape[0] === symbol ? 'rows' : undefined;
    default:
      return undefined;
  }
}
