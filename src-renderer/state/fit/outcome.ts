/** What a fit found, in words. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { Known, Verdict } from '../../../src-main/contract/verdicts.ts';
import { tiedSentence } from '../../../src-main/contract/starts.ts';
import { determinedSentence, missedSentence, solvedSentence } from '../../../src-main/contract/verdicts.ts';
import { formatDuration, formatMoment, formatNumber } from '../words/number-format.ts';

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
  /** What a word like *Converged* must not hide: that a shape is missed, or that it converged on an approximation that does not hold. Empty where nothing is known to be. */
  readonly alarm: string;
}

/** `known`: of each parameter, by the best of what was studied. */
export function outcomeOf(report: FitReport, known: readonly Known[], now = new Date()): Outcome {
  const tied = tiedSentence(report);
  return {
    word: statusWord[report.status],
    tone:
      (report.misfits ?? []).length > 0 || report.doubt !== undefined || tied !== ''
        ? 'caution'
        : statusTone[report.status],
    alarm: [asSentence(report.doubt ?? ''), tied, missedSentence(report.misfits)].filter(Boolean).join(' '),
    when: `${formatMoment(report.finishedAt, now)}, ${formatDuration(report.milliseconds)}`,
    sentence: report.status === 'converged' ? convergedSentence(report, known) : asSentence(report.reason),
  };
}

/** How much is determined, where the end was found if not from the start, what was solved for, and how near the end is. */
function convergedSentence({ reason, solved = [], decrement }: FitReport, known: readonly Known[]): string {
  const found = reason.split('; ').find((part) => part.startsWith('found '));
  const sentences = [determinedSentence(known), asSentence(found ?? ''), solvedSentence(solved)];
  if (decrement !== undefined && !Number.isNaN(decrement)) sentences.push(`Decrement ${formatNumber(decrement, 2)}.`);
  return sentences.filter(Boolean).join(' ');
}

/** With a capital and a full stop. */
export function asSentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return `${trimmed[0]!.toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

export type Estimate = FitReport['estimates'][number];
