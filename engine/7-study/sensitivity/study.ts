/** A sensitivity study by any method. */
import type { Device } from '../../5-runtime/device.ts';
import { activeSubspace } from './active-subspace.ts';
import { dgsm } from './dgsm.ts';
import { localSensitivity } from './local.ts';
import { morris } from './morris.ts';
import type { SampleOptions, SensitivityMethod, SensitivityProblem, SensitivityResult } from './problem.ts';
import { sobolIndices } from './sobol.ts';

type Run = (problem: SensitivityProblem, device: Device, options: SampleOptions) => Promise<SensitivityResult>;

const runs: { readonly [M in SensitivityMethod]: Run } = {
  local: (problem, device, { cancel }) => localSensitivity(problem, device, cancel),
  morris,
  sobol: sobolIndices,
  dgsm,
  'active-subspace': activeSubspace,
};

/** Where the user stops, what was found until then. */
export async function sensitivity(
  problem: SensitivityProblem,
  device: Device,
  method: SensitivityMethod,
  options: SampleOptions,
): Promise<SensitivityResult> {
  return runs[method](problem, device, options);
}
