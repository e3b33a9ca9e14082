/** `uncertainty`: fits, then tells what is known of each parameter. */
import type { UncertaintyReport, UncertaintyRequest } from '../contract-studies.ts';
import { exitStatus } from './failure.ts';
import type { ModelOptions } from './options.ts';
import { printJson } from './output.ts';
import { runStudy } from './run-study.ts';
import { printUncertainty, uncertaintyJson } from './uncertainty-output.ts';

interface UncertaintyOptions extends ModelOptions, Omit<UncertaintyRequest, 'kind' | 'bands'> {
  readonly band?: readonly string[];
}

export function uncertaintyStatus({ cancelled, fit }: UncertaintyReport): number {
  if (cancelled) return exitStatus.stopped;
  return fit.status === 'converged' ? exitStatus.done : exitStatus.notConverged;
}

export async function uncertainty(path: string, options: UncertaintyOptions): Promise<void> {
  const { method, level, seed, samples, resample, sandwich, band } = options;
  const request = { kind: 'uncertainty' as const, method, level, seed, samples, resample, sandwich, bands: band };
  const report = await runStudy(path, options, request);
  if (report?.kind !== 'uncertainty') return;
  process.exitCode = uncertaintyStatus(report);
  if (options.json) printJson(uncertaintyJson(report));
  else printUncertainty(report);
}
