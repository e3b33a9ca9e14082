/**
 * Sums in bins that begin with -0, which changes no sum: so nobody need ask whether a bin is empty. Only of a sum that is -0
 * in the end it is not seen whether there was an element at all, and then there was one that is -0 itself: those, which are
 * few, leave a mark.
 *
 * In f32 sums are held in f64: however long, they keep the digits of their terms.
 */
import { restrictFunction } from '../../../1-optimize/scalar/edit-function.ts';
import type { BinUpdate } from './bin-update.ts';
import { elementOf, type Combining } from '../combine/combining.ts';
import type { Kernel } from '../kernel.ts';
import { emitFunction } from '../scalar/scalar-function.ts';
import { apply, f32, f64, i32, i64, type Expression } from '../wasm/expression.ts';

/** The update, with a mark where an element's `sums` (components) hold a -0. */
export function markingZeros(
  k: Kernel,
  { prologue }: Combining,
  sums: readonly number[],
  update: BinUpdate,
): BinUpdate {
  const terms = prologue && restrictFunction(prologue, [...prologue.parameters.keys()], sums);
  const hasZero = (inputs: readonly Expression[]): Expression => {
    const values = terms ? emitFunction(k, terms, inputs) : sums.map((i) => inputs[i]!);
    return values.map((value) => isNegativeZero(k, value)).reduce((any, one) => apply('i32.or', any, one));
  };
  return {
    ...update,
    usual(bin, inputs, leave) {
      leave(hasZero(inputs));
      update.usual(bin, inputs, leave);
    },
    whole(bin, inputs) {
      update.whole(bin, inputs);
      k.f.if(hasZero(inputs), () => bin.mark?.set());
    },
    mayLeave: true,
  };
}

/** Of sums alone, held in f64. */
export function wideSums(k: Kernel, step: Combining): BinUpdate {
  const touched = [...step.operator.neutral.keys()];
  const whole: BinUpdate['whole'] = (bin, inputs) => {
    const terms = elementOf(k, step, inputs);
    terms.forEach((term, i) => bin.write(i, apply('f64.add', bin.read(i), apply('f64.promote_f32', term))));
  };
  return { usual: whole, whole, mayLeave: false, touched };
}

function isNegativeZero(k: Kernel, value: Expression): Expression {
  return k.precision === 'f32'
    ? apply('i32.eq', apply('i32.reinterpret_f32', value), i32(-(2 ** 31)))
    : apply('i64.eq', apply('i64.reinterpret_f64', value), i64(-(2n ** 63n)));
}

/** The sum, 0 for -0. */
export function withoutSign(sum: Expression): Expression {
  return sum.type === 'f64' ? apply('f64.add', sum, f64(0)) : apply('f32.add', sum, f32(0));
}
