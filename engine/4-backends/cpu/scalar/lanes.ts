/**
 * How a scalar function is run: at one point, or at as many points side by side as fill a vector of reals.
 *
 *            one point   two, f64       four, f32
 *     real   f64, f32    f64x2          f32x4
 *     int    i32         i32x4, low half   i32x4
 *     bool   i32, 0 or 1   a mask: lanes as wide as a real's, all ones or all zeros
 *
 * Arithmetic on the unused half of an int changes nothing, and no instruction on numbers traps.
 */
import type { ScalarLiteral } from '../../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { Kernel } from '../kernel.ts';
import { constant, stackType } from '../representation.ts';
import { emitOperation } from './scalar.ts';
import { emitVectorOperation } from './scalar-vector.ts';
import { chosen, splat, vectorConstant, vectorCount } from './vector.ts';
import { apply, get, type Expression, type Local } from '../wasm/expression.ts';
import type { ValueType } from '../wasm/instructions.ts';

/** One side of an `if`: roughly how many instructions it is, and what writes them. */
export interface Branch {
  readonly work: number;
  emit(): Expression[];
}

export interface Lanes {
  /** Points at a time. */
  count(k: Kernel): number;
  holds(k: Kernel, element: ElementType): ValueType;
  constant(k: Kernel, literal: Pick<ScalarLiteral, 'type' | 'value'>): Expression;
  /** One value for all points. */
  spread(k: Kernel, element: ElementType, value: Expression): Expression;
  operation(k: Kernel, operation: ScalarOperation, type: ElementType, operands: readonly Expression[]): Expression;
  branch(
    k: Kernel,
    condition: Expression,
    types: readonly ElementType[],
    then: Branch,
    otherwise: Branch,
  ): Expression[];
}

export const onePoint: Lanes = {
  count: () => 1,
  holds: (k, element) => stackType(k.precision, element),
  constant: (k, literal) => constant(k.precision, literal),
  spread: (_, __, value) => value,
  operation: emitOperation,
  branch(k, condition, types, then, otherwise) {
    const results = types.map((type) => k.f.local(stackType(k.precision, type)));
    const taken = (branch: Branch) => () => setAll(k, results, branch.emit());
    k.f.if(condition, taken(then), taken(otherwise));
    return results.map(get);
  },
};

/** Instructions worth running for nothing to save a branch. */
export const CHEAP = 12;

export const vectorLanes: Lanes = {
  count: (k) => vectorCount(k.precision),
  holds: () => 'v128',
  constant: (k, literal) => vectorConstant(k.precision, literal),
  spread: splat,
  operation: emitVectorOperation,
  branch(k, mask, types, then, otherwise) {
    if (then.work + otherwise.work <= CHEAP) {
      const [yes, no] = [then.emit(), otherwise.emit()];
      return types.map((type, i) => get(k.f.keep(chosen(k, type, yes[i]!, no[i]!, mask))));
    }
    const results = types.map(() => k.f.local('v128'));
    const where = (lanes: Expression, branch: Branch) =>
      k.f.if(apply('v128.any_true', lanes), () => {
        const values = branch.emit();
        types.forEach((type, i) => {
          const result = results[i]!;
          k.f.set(result, chosen(k, type, values[i]!, get(result), lanes));
        });
      });
    // A side that costs little is taken by all lanes, whether it is theirs or not.
    if (then.work <= CHEAP) {
      setAll(k, results, then.emit());
      where(get(k.f.keep(apply('v128.not', mask))), otherwise);
    } else {
      if (otherwise.work <= CHEAP) setAll(k, results, otherwise.emit());
      else k.f.if(apply('v128.any_true', apply('v128.not', mask)), () => setAll(k, results, otherwise.emit()));
      where(mask, then);
    }
    return results.map(get);
  },
};

function setAll(k: Kernel, locals: readonly Local[], values: readonly Expression[]): void {
  locals.forEach((local, i) => k.f.set(local, values[i]!));
}
