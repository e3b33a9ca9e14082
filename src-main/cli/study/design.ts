/** `design`: fits, then tells what to measure next. */
import type { DesignReport, DesignRequest } from '../../contract/studies.ts';
import { allSpoken } from '../../contract/element-labels.ts';
import { Refused } from '../../refused.ts';
import { exitStatus } from '../failure.ts';
import type { ModelOptions } from '../options.ts';
import { orNull } from '../output/elements.ts';
import { labelsOfDocument } from '../output/labels.ts';
import { printColumns, printJson, shown } from '../output/output.ts';
import { readJob } from '../run-in-worker.ts';
import { runStudy } from './run-study.ts';

interface DesignOptions extends ModelOptions {
  readonly criterion?: DesignRequest['method'];
  readonly for?: string;
  readonly add: number;
  readonly range?: string;
}

export async function design(path: string, options: DesignOptions): Promise<void> {
  const { criterion, for: of, add, range } = options;
  const report = await runStudy(path, options, {
    kind: 'design',
    method: criterion ?? (of === undefined ? 'D' : 'c'),
    ...{ of, add, range: range === undefined ? undefined : rangeFrom(range) },
  });
  if (report?.kind !== 'design') return;
  if (report.cancelled) process.exitCode = exitStatus.stopped;
  else if (report.fit.status !== 'converged') process.exitCode = exitStatus.notConverged;
  if (options.json) printJson(designJson(report));
  else {
    const { document } = await readJob(path, options);
    print(allSpoken(report, await labelsOfDocument(document, path)));
  }
}

function rangeFrom(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new Refused(`--range wants JSON, {"t": [0, 24]}, got ${text}`);
}

/** `curve` is that on which the best point lies. */
function designJson({ method, of, fit, now, points, curves }: DesignReport): object {
  const best = curveOfBest(points, curves);
  return {
    criterion: method,
    ...(of !== undefined && { for: of }),
    now: orNull(now),
    points: points.map(({ x, after, of: block }) => ({ x, after: orNull(after), of: block })),
    curve: { x: best?.x ?? [], after: orNull(best?.after ?? []) },
    ...(curves.length > 1 && { curves: curves.map((curve) => ({ ...curve, after: orNull(curve.after) })) }),
    fit,
  };
}

type Curves = DesignReport['curves'];

function curveOfBest([best]: DesignReport['points'], curves: Curves): Curves[number] | undefined {
  const [first] = curves;
  if (!best || !first) return first;
  const own = curves.filter(({ of }) => of === best.of);
  const lowest = (curve: Curves[number]): number => {
    const at = best.x[curve.column] as number;
    const near = curve.x.reduce((a, x, i) => (Math.abs(x - at) < Math.abs(curve.x[a]! - at) ? i : a), 0);
    return Math.abs(curve.after[near]! - best.after);
  };
  return own.reduce((a, b) => (lowest(b) < lowest(a) ? b : a), own[0] ?? first);
}

const words: Readonly<Record<DesignReport['method'], string>> = {
  D: 'log det of the information',
  A: 'trace of the covariance',
  c: 'standard error',
};

function print({ method, of, fit, now, points }: DesignReport): void {
  const subject = of === undefined ? '' : ` of ${of}`;
  process.stdout.write(`${words[method]}${subject}; the fit ${fit.status}: ${fit.reason}.\n`);
  if (points.length === 0) return;
  const columns = [...new Set(points.flatMap(({ x }) => Object.keys(x)))];
  printColumns(
    [
      ['', ...columns, words[method]],
      ['now', ...columns.map(() => ''), figure(now)],
      ...points.map(({ x, after }, i) => [`${i + 1} more`, ...columns.map((id) => text(x[id])), figure(after)]),
    ],
    new Set([...columns.keys(), columns.length].map((i) => i + 1)),
  );
}

const text = (value: number | string | undefined): string => (typeof value === 'number' ? shown(value) : (value ?? ''));
const figure = (value: number): string =>
  Number.isFinite(value) ? shown(value) : Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
