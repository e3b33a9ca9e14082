/** The table of GradBench's evals beside its C++ tools, as build/benchmarks/gradbench-table.mjs measures them. */
import { figure, milliseconds, ratio } from '../shown.ts';
import type { Measurement, Suite } from '../suite.ts';

export interface Compared extends Omit<Measurement, 'n'> {
  readonly module: string;
  readonly function: string;
  readonly size: string;
  readonly oursMs: number;
  /** Written by hand, by CoDiPack's tape and by CppAD's; null where GradBench has none or it was not made. */
  readonly manualMs: number | null;
  readonly codipackMs: number | null;
  readonly cppadMs: number | null;
}

const PRIMALS: readonly string[] = ['objective', 'primal', 'cost'];
/** Where the two compute by different algorithms: what is compared there is not differentiation. */
const OTHERWISE: readonly string[] = ['det primal', 'det gradient', 'ode gradient'];

const shownTime = (time: number | null): string => (time === null ? '' : milliseconds(time));

function over(ours: number, theirs: number | null): string {
  if (theirs === null) return '';
  const times = ours / theirs;
  return times < 0.01 || times >= 100 ? figure(times) : ratio(times);
}

/** Ours over theirs, and of how many. */
function mean(rows: readonly Compared[], theirs: (row: Compared) => number | null): readonly [string, number] {
  const logs = rows.flatMap((row) => {
    const time = theirs(row);
    return time === null ? [] : [Math.log(row.oursMs / time)];
  });
  return [ratio(Math.exp(logs.reduce((sum, each) => sum + each, 0) / logs.length)), logs.length];
}

export const compared: Pick<Suite<Compared>, 'columns' | 'summary'> = {
  columns: [
    { heading: 'module', text: 8, cell: ({ module }) => `\`${module}\`` },
    { heading: 'function', text: 10, cell: (row) => `\`${row.function}\`` },
    { heading: 'size', text: 24, cell: ({ size }) => size },
    { heading: 'ours', cell: ({ oursMs }) => milliseconds(oursMs) },
    { heading: 'C++ by hand', cell: ({ manualMs }) => shownTime(manualMs) },
    { heading: 'CoDiPack', cell: ({ codipackMs }) => shownTime(codipackMs) },
    { heading: 'CppAD', cell: ({ cppadMs }) => shownTime(cppadMs) },
    { heading: 'ours / by hand', cell: ({ oursMs, manualMs }) => over(oursMs, manualMs) },
    { heading: 'ours / CoDiPack', cell: ({ oursMs, codipackMs }) => over(oursMs, codipackMs) },
  ],
  summary(rows) {
    const alike = rows.filter(({ row }) => !OTHERWISE.includes(row));
    const derivatives = alike.filter((row) => !PRIMALS.includes(row.function));
    const [byHand, count] = mean(derivatives, ({ manualMs }) => manualMs);
    const [primal, primals] = mean(
      alike.filter((row) => PRIMALS.includes(row.function)),
      ({ manualMs }) => manualMs,
    );
    const [codipack, taped] = mean(derivatives, ({ codipackMs }) => codipackMs);
    return (
      `Ours takes ${byHand} times as long as the C++ by hand in the geometric mean of ${count} derivatives and ${primal} times in that of ` +
      `${primals} primals; ${codipack} times as long as CoDiPack in that of ${taped} derivatives. \`det\` and the gradient of \`ode\` are left out: ` +
      'see below.'
    );
  },
};
