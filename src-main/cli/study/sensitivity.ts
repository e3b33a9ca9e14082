/** `sensitivity`: what an output is sensitive to. */
import type { SensitivityRequest } from '../../contract/studies.ts';
import { exitStatus } from '../failure.ts';
import type { ModelOptions } from '../options.ts';
import { printJson } from '../output/output.ts';
import { runStudy } from './run-study.ts';
import { printSensitivity, sensitivityJson } from '../output/sensitivity-output.ts';

interface SensitivityOptions extends ModelOptions, Omit<SensitivityRequest, 'kind'> {}

export async function sensitivity(path: string, options: SensitivityOptions): Promise<void> {
  const { method, of, samples, seed, logUniform } = options;
  const report = await runStudy(path, options, { kind: 'sensitivity', method, of, samples, seed, logUniform });
  if (report?.kind !== 'sensitivity') return;
  if (report.cancelled) process.exitCode = exitStatus.stopped;
  if (options.json) printJson(sensitivityJson(report));
  else printSensitivity(report);
}
