/** What a fit found, in words: the status, and a verdict on each parameter. */
import type { FitReport } from '../../src-main/contract.ts';
import { formatDuration, formatMoment, formatPercent } from './number-format.ts';

export type Tone = 'ok' | 'caution' | 'fault';

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

export function outcomeOf(report: FitReport, now = new Date()): Outcome {
  return {
    word: statusWord[report.status],
    tone: statusTone[report.status],
    when: `${formatMoment(report.finishedAt, now)}, ${formatDuration(report.milliseconds)}`,
    sentence: report.status === 'converged' ? determined(report) : sentenceOf(report.reason),
  };
}

function sentenceOf(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  return `${trimmed[0]!.toUpperCase()}${trimmed.slice(1)}${/[.!?]$/.test(trimmed) ? '' : '.'}`;
}

function determined(report: FitReport): string {
  const free = report.estimates.filter((estimate) => !estimate.fixed);
  const weak = free.filter((estimate) => verdictOf(estimate).tone !== 'ok');
  if (free.length === 0) return 'No parameter is free.';
  if (weak.length === 0) {
    if (free.length === 1) return 'The parameter is determined.';
    return `${free.length === 2 ? 'Both' : `All ${free.length}`} parameters are determined.`;
  }
  const good = free.length - weak.length;
  const names = weak.length <= 2 ? weak.map((estimate) => estimate.name).join(' and ') : `${weak.length} of them`;
  return `${good} of ${free.length} parameters are determined; ${names} ${weak.length === 1 ? 'is' : 'are'} not.`;
}

export type Estimate = FitReport['estimates'][number];

export interface Verdict {
  readonly tone: Tone;
  readonly text: string;
}

/** Beyond this relative error the data hardly say more than the sign. */
const weakAbove = 0.5;

export function verdictOf(estimate: Estimate): Verdict {
  if (estimate.fixed) return { tone: 'ok', text: 'fixed' };
  if (!Number.isFinite(estimate.value)) return { tone: 'fault', text: 'no value' };
  if (estimate.atBound) return { tone: 'caution', text: `at its ${estimate.atBound} bound` };
  if (!Number.isFinite(estimate.standardError)) return { tone: 'caution', text: 'not determined by these data' };
  const relative = Math.abs(estimate.standardError / estimate.value);
  if (!(relative < 1)) return { tone: 'caution', text: 'its error exceeds its value' };
  if (relative > weakAbove) return { tone: 'caution', text: `known to ${formatPercent(relative)} only` };
  return { tone: 'ok', text: `determined to ${formatPercent(relative)}` };
}

/** What needs attention first, then in the order of the document. */
export function byAttention(estimates: readonly Estimate[]): Estimate[] {
  const rank = (estimate: Estimate) => (verdictOf(estimate).tone === 'ok' ? 1 : 0);
  return estimates
    .map((estimate, i) => ({ estimate, i }))
    .sort((a, b) => rank(a.estimate) - rank(b.estimate) || a.i - b.i)
    .map(({ estimate }) => estimate);
}
