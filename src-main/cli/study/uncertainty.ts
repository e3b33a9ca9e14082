/** `uncertainty`: fits, then tells what is known of each parameter. */
import type { UncertaintyReport, UncertaintyRequest } from '../../contract/studies.ts';
import { allSpoken } from '../../contract/element-labels.ts';
import { chainsAgree } from '../../contract/verdicts.ts';
import { demandDrawsForm, writeDraws } from '../../files/draws.ts';
import { demandWritable } from '../../files/durable.ts';
import { Refused } from '../../refused.ts';
import { demandOther } from '../own-files.ts';
import { exitStatus } from '../failure.ts';
import type { ModelOptions } from '../options.ts';
import { printJson } from '../output/output.ts';
import { labelsOfDocument } from '../output/labels.ts';
import { readJob } from '../run-in-worker.ts';
import { runStudy } from './run-study.ts';
import { printUncertainty, uncertaintyJson } from '../output/uncertainty-output.ts';

interface UncertaintyOptions extends ModelOptions, Omit<UncertaintyRequest, 'kind' | 'bands'> {
  readonly band?: readonly string[];
  readonly draws?: string;
}

/** A density needs no mode: of chains it is their agreement that counts, not the fit before them. */
export function uncertaintyStatus(report: UncertaintyReport): number {
  if (report.cancelled) return exitStatus.stopped;
  const converged = report.method === 'hmc' ? chainsAgree(report) : report.fit.status === 'converged';
  return converged ? exitStatus.done : exitStatus.notConverged;
}

export async function uncertainty(path: string, options: UncertaintyOptions): Promise<void> {
  const { method, level, seed, samples, chains, draws, resample, sandwich, band } = options;
  if (method !== 'hmc' && (draws !== undefined || chains !== undefined))
    throw new Refused(`--${draws === undefined ? 'chains' : 'draws'} is of hmc, and this study is by ${method}`);
  if (draws !== undefined) {
    demandDrawsForm(draws);
    await demandWritable(draws);
    await demandOther(draws, path);
  }
  const request = {
    kind: 'uncertainty' as const,
    method,
    level,
    seed,
    samples,
    chains,
    resample,
    sandwich,
    bands: band,
  };
  const report = await runStudy(path, options, request);
  if (report?.kind !== 'uncertainty') return;
  process.exitCode = uncertaintyStatus(report);
  if (draws !== undefined) await writeDraws(draws, report);
  if (options.json) printJson(uncertaintyJson(report));
  else {
    const { document } = await readJob(path, options);
    printUncertainty(allSpoken(report, await labelsOfDocument(document, path)));
  }
}
