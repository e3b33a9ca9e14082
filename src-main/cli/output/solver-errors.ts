/** Estimated errors of ode blocks, as `odeError` and in words, and those that leave nothing of a solution. */
import { faultOf } from '../../compute/running/solver-errors.ts';
import { type SolverError, Unsolved } from '../../refused.ts';
import { exitStatus } from '../failure.ts';
import { printJson, record, shown } from './output.ts';

/** `{"odeError": {"id": …}}`; nothing where nothing was solved by steps. */
export function odeErrorJson(errors: readonly Pick<SolverError, 'block' | 'error'>[]): {
  readonly odeError?: Record<string, number>;
} {
  return errors.length === 0 ? {} : { odeError: record(errors.map(({ block, error }) => [block, error] as const)) };
}

/** What is said of solutions that may be shown. `size` is not known of fits that were stored before there was one. */
export function printSolverErrors(
  errors: readonly (Omit<SolverError, 'size'> & { readonly size?: number | undefined })[],
): void {
  for (const { block, error, size = Infinity } of errors)
    process.stdout.write(
      `${faultOf({ block, error, size }) ?? `the steps of "${block}" leave an error of about ${shown(error)} (more "substeps" lessen it)`}\n`,
    );
}

/** What is not shown, and why: status 3. `known` is what can be. Throws whatever is no fault of a solver. */
export function printUnsolved(error: unknown, asJson: boolean | undefined, known: object = {}): void {
  if (!(error instanceof Unsolved)) throw error;
  const errors = error.problems.map(({ block, message }) => ({ block, message }));
  // Of equations that are solved there is no error of steps.
  const ofSteps = error.errors.filter(({ size }) => !(size < 0));
  if (asJson === true) printJson({ ...known, errors, ...odeErrorJson(ofSteps) });
  for (const { message } of errors) process.stderr.write(`cotangent: ${message}\n`);
  process.exitCode = exitStatus.notConverged;
}
