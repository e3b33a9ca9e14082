/** Estimated errors of ode blocks, as `odeError` and in words. */
import type { SolverError } from '../compute/solver-errors.ts';
import { record, shown } from './output.ts';

/** `{"odeError": {"id": …}}`; nothing where nothing was solved by steps. */
export function odeErrorJson(errors: readonly Pick<SolverError, 'block' | 'error'>[]): {
  readonly odeError?: Record<string, number>;
} {
  return errors.length === 0 ? {} : { odeError: record(errors.map(({ block, error }) => [block, error] as const)) };
}

/** More than this share of the states, and what is shown is no solution. */
const worthless = 0.1;

/** `size` is not known of fits that were stored before there was one. */
export function printSolverErrors(
  errors: readonly (Omit<SolverError, 'size'> & { readonly size?: number | undefined })[],
): void {
  for (const { block, error, size = Infinity } of errors)
    process.stdout.write(
      error <= worthless * size
        ? `the steps of "${block}" leave an error of about ${shown(error)} (more "substeps" lessen it)\n`
        : `the solution of "${block}" is not to be trusted: its steps leave an error of about ${shown(error)}, and its states reach ${shown(size)} (take more "substeps", or "method": "rosenbrock" where it is stiff)\n`,
    );
}
