/** What a fit found, in words. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { Known, Verdict } from '../../../src-main/contract/verdicts.ts';
import { determinedSentence } from '../../../src-main/contract/verdicts.ts';
import { formatDuration, formatMoment } from '../words/number-format.ts';

export type Tone = 'ok' | 'caution' | 'fault';

/** How a verdict looks. */
export const verdictTone = (status: Verdict['status']): Tone => (status === 'determined' ? 'ok' : 'caution');

/** The first word is fixed: tests and eyes look for it. */
export const statusWord: { readonly [S in FitReport['status']]: string } = {
  converged: 'Converged',
  'not-converged': 'Not converged',
  failed: 'Failed',
  cancelled: 'Stopped',
};

const statusTone: { readonly [S in FitReport['status']]: Tone } = {
  converged: 'ok',
  'not-converged': 'caution',
  failed: 'fault',
  cancelled: 'caution',
};

export interface Outcome {
  readonly word: string;
  readonly tone: Tone;
  /** `14:32:08, 31 ms`. */
  readonly when: string;
  readonly sentence: string;
}

/** `known`: of each parameter, by the best of what was studied. */
export function outcomeOf(report: FitReport, known: readonly Known[], now = new Date()): Outcome {
  return {
    word: statusWord[report.status],
    tone: statusTone[report.status],
    when: `${formatMoment(report.finishedAt, now)}, ${formatDuration(report.milliseconds)}`,
    sentence: report.status === 'converged' ? determinedSentence(known) : sentenceOf(report.reason),
  };
}

function sentenceOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return `${trimmed[0]!.toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

export type Estimate = FitReport['estimates'][number];
