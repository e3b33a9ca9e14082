/** Of a root that is found: which unknown has no derivative there (engine/2-ad/implicit/turning.ts). */
import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type ScalarFunction,
  type ScalarOperand,
  type Shape,
  turningFunction,
  type Value,
} from '../../../engine/index.ts';
import { flatten } from '../../objective/sums.ts';
import { solverFaults } from './solver-faults.ts';

/** A root y of F(y, x) = 0, for each element of a shape. */
export interface Root {
  readonly residual: ScalarFunction;
  readonly unknowns: readonly Value[];
  readonly given: readonly Value[];
  /** Which of those given a derivative may be taken by. */
  readonly moving: readonly boolean[];
  /** Which elements are asked; all unless given. Elsewhere may be what is no number. */
  readonly where?: Value;
}

/** `fault`, and what is told `beside` it, real scalars; where there is no fault and an unknown turns, that, and its place. */
export function turningOr(
  b: ProgramBuilder,
  { residual, unknowns, given, moving, where }: Root,
  shape: Shape,
  fault: Value,
  beside: Value,
): readonly [fault: Value, beside: Value] {
  const turns = b
    .map(turningFunction(residual, unknowns.length, moving), [...unknowns, ...given], shape)
    .map((each) => (where ? onlyWhere(b, where, each) : each))
    .map((each) => (b.reduce(builtinOperator('max'), [flatten(b, each)], 0) as [Value])[0]);
  // Its place and 1, of the first that turns; 0 where none does.
  const first = b.elementwise([fault, ...turns], (s, code, ...each) =>
    each.reduceRight<ScalarOperand>(
      (rest, turn, j) =>
        s.either(
          s.apply('lt', s.apply('max', code, realLiteral(0)), turn),
          () => realLiteral(j + 1),
          () => rest,
        ),
      realLiteral(0),
    ),
  );
  const either = (yes: Value, no: Value): Value =>
    b.elementwise([first, yes, no], (s, place, x, y) =>
      s.either(
        s.apply('lt', realLiteral(0), place),
        () => x,
        () => y,
      ),
    );
  return [either(b.literal(solverFaults.turning), fault), either(b.apply('sub', first, b.literal(1)), beside)];
}

function onlyWhere(b: ProgramBuilder, where: Value, turns: Value): Value {
  return b.elementwise([where, turns], (s, isAsked, each) =>
    s.either(
      isAsked,
      () => each,
      () => realLiteral(0),
    ),
  );
}
