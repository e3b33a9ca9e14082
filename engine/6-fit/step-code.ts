/** How much code the steps of a program are: what compiling it hangs on, once a solver is among them. */
import type { Program } from '../0-ir/program.ts';
import type { ScalarBlock } from '../0-ir/scalar.ts';

/**
 * Beyond so many statements of scalar code derivatives along several directions are one derivative along directions that are
 * data: code for each computes what they share once, and compiling takes longer than that saves.
 */
const LONG = 50_000;

type Steps = Pick<Program, 'statements'>;

export const isLong = (program: Steps, directions: number): boolean => stepCode(program) * directions > LONG;

/** A program's gradient is some five times as long as the program. */
const SWEEP = 5;

/** Whether its Hessian by so many coordinates is. */
export const isLongToCurve = (program: Steps, coordinates: number): boolean => isLong(program, SWEEP * coordinates);

function stepCode({ statements }: Steps): number {
  return statements.reduce((sum, { construct }) => {
    switch (construct.kind) {
      case 'recurrence':
      case 'history':
        return sum + lengthOf(construct.step.body);
      case 'loop':
        return sum + stepCode(construct.body);
      case 'call':
        return sum + stepCode(construct.program);
      default:
        return sum;
    }
  }, 0);
}

function lengthOf({ statements }: ScalarBlock): number {
  return statements.reduce(
    (sum, each) => sum + 1 + (each.kind === 'if' ? lengthOf(each.then) + lengthOf(each.else) : 0),
    0,
  );
}
