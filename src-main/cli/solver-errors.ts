/** Estimated errors of ode blocks, as `odeError` and in words. */
import type { SolverError } from '../compute/solver-errors.ts';
import { record, shown } from './output.ts';

/** `{"odeError": {"id": …}}`; nothing where nothing was solved by steps. */
export function odeErrorJson(errors: readonly SolverError[]): { readonly odeError?: Record<string, number> } {
  return errors.length === 0 ? {} : { odeError: record(errors.map(({ block, error }) => [block, error] as const)) };
}

export function printSolverErrors(errors: readonly SolverError[]): void {
  for (const { block, error } of errors)
    process.stdout.write(
      `the steps of "${block}" leave an error of about ${shown(error)} (more "substeps" lessen it)\n`,
    );
}
