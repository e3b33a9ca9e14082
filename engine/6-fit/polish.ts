/**
 * A fit in f32 goes on in f64: single precision finds where the minimum is, and leaves the last digits of the parameters
 * and all of a badly conditioned covariance to rounding. The few iterations that are left run on a device with doubles,
 * where its memory holds them.
 */
import { OutOfMemory } from '../0-ir/errors.ts';
import type { Device } from '../5-runtime/device.ts';
import { fit } from './fit.ts';
import { fitFromStarts, type MultistartOptions, type MultistartResult, type Starts } from './multistart.ts';
import type { FitParameter, FitProblem } from './problem.ts';
import type { FitResult } from './report/report.ts';

/** `exact`: a device of f64. The report is of it where it had the last word; `device` stays the one that was asked for. */
export async function fitPolished(
  problem: FitProblem,
  device: Device,
  exact: Device,
  options: MultistartOptions = {},
): Promise<MultistartResult> {
  const found = await fitFromStarts(problem, device, options);
  if (found.status === 'cancelled' || found.status === 'failed') return found;
  // Who says how far it goes is not taken further.
  if (options.maxIterations !== undefined && found.status === 'not-converged') return found;
  const before = found.history;
  const { onProgress, ...limits } = options;
  try {
    const ended = await fit({ ...problem, parameters: startingAt(problem.parameters, found) }, exact, {
      ...limits,
      ...(onProgress && {
        onProgress: (iteration, energy, point) => onProgress(found.iterations + iteration, energy, point),
      }),
    });
    return {
      ...ended,
      ...(found.starts && { starts: withLastWord(found.starts, ended) }),
      ...(found.basins && { basins: found.basins }),
      ...(found.symmetries && { symmetries: found.symmetries }),
      reason: `${ended.reason}; found on ${device.kind} in ${device.precision}, ended on ${exact.kind} in ${exact.precision}`,
      iterations: found.iterations + ended.iterations,
      evaluations: found.evaluations + ended.evaluations,
      history: [...before, ...ended.history.slice(1)],
      device: device.kind,
    };
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error;
    return { ...found, reason: `${found.reason}; left in ${device.precision}: ${error.message}` };
  }
}

/** The lowest end is now known better: what is said of the starts is no other verdict than that of the fit. */
function withLastWord(starts: Starts, { status, objective }: FitResult): Starts {
  const [lowest, ...others] = starts.ends;
  if (!lowest) return starts;
  const atBest = status !== 'converged' ? 0 : Math.max(1, starts.atBest);
  return { ...starts, atBest, ends: [{ ...lowest, status, objective }, ...others] };
}

function startingAt(parameters: readonly FitParameter[], { estimates }: FitResult): FitParameter[] {
  return parameters.map((parameter) => ({
    ...parameter,
    initial: estimates.filter((estimate) => estimate.parameter === parameter.name).map(({ value }) => value),
  }));
}
