import { describe, expect, it } from 'vitest';
import type { UncertaintyReport } from '../../../../src-main/contract/studies.ts';
import { binned, thinned } from '../../../../src-renderer/state/canvas/bins.ts';
import { quantilePoints, quartileLine } from '../../../../src-renderer/state/fit/residuals.ts';
import { uncertaintyTables } from '../../../../src-renderer/state/study/study-tables.ts';
import { fileStem, toCsv, toJson } from '../../../../src-renderer/state/window/table-export.ts';
import {
  closestPair,
  determinedText,
  diagnosticFacts,
  intervalText,
  profilePlots,
  statisticFacts,
} from '../../../../src-renderer/state/study/uncertainty-view.ts';

const row = (name: string, status: 'determined' | 'weak', lower: number, upper: number) => ({
  name,
  block: name,
  fixed: false,
  value: (lower + upper) / 2,
  lower,
  upper,
  verdict: { status, reason: `for ${status}` },
  figures: { standardError: 0.5 },
});

const report: UncertaintyReport = {
  kind: 'uncertainty',
  method: 'profile',
  level: 0.95,
  fit: { status: 'converged', reason: 'small gradient', objective: 3 },
  parameters: [row('a', 'determined', 1, 3), row('b', 'weak', 0, 8)],
  names: ['a', 'b'],
  correlation: [
    [1, -0.8],
    [-0.8, 1],
  ],
  conditionNumber: 2000,
  sloppy: [],
  profiles: [{ name: 'a', values: [0, 1, 2, 3, 4], roots: [-4, -2, 0, 2, 4] }],
  cutoff: 2,
  statistics: { aic: 12, runsTestP: 0.01, normalityP: NaN },
  diagnostics: { divergences: 3, chains: 4 },
  warnings: [],
  cancelled: false,
  seed: 0,
  device: 'cpu',
  precision: 'f64',
  milliseconds: 5,
  finishedAt: '2026-01-01T00:00:00Z',
  meaning: '',
};

describe('a report of uncertainty', () => {
  it('puts first what needs attention, and says it in one sentence', () => {
    expect(determinedText(report)).toBe('1 of 2 parameters are determined; look at b.');
    const stopped = { ...report, cancelled: true };
    expect(determinedText(stopped)).toBe('What was found until then stands here.');
    const nothing = report.parameters.map((each) => ({ ...each, lower: NaN, upper: NaN }));
    expect(determinedText({ ...stopped, parameters: nothing })).toBe('It was stopped before anything was found.');
    expect(determinedText({ ...report, fit: { ...report.fit, status: 'failed' } })).toContain('did not converge');
  });

  it('says an end that is not there in words', () => {
    expect(intervalText(-Infinity, 0.145)).toBe('below 0.145');
    expect(intervalText(2, Infinity)).toBe('above 2');
    expect(intervalText(-Infinity, Infinity)).toBe('anything');
    expect(intervalText(NaN, 1)).toBe('–');
    expect(intervalText(1, 2)).toBe('1 to 2');
    expect(intervalText(0.12, 0.1369)).toBe('0.1200 to 0.1369');
    expect(intervalText(-3, 12.5)).toBe('−3.0 to 12.5');
    expect(intervalText(0.00004, 0.5)).toBe('4·10⁻⁵ to 0.5');
  });

  it('names the pair that moves together most', () => {
    expect(closestPair(report)).toEqual([1, 0]);
    expect(closestPair({ ...report, correlation: [] })).toBeUndefined();
  });

  it('draws a profile by its squares: a linear root is a parabola, cut above the cut-off', () => {
    const [plot] = profilePlots(report, true, new Map([['a', 0.5]]));
    expect(plot?.cutoffs).toEqual([4]);
    for (const { x, y } of plot?.points ?? []) expect(y).toBeCloseTo((2 * (x - 2)) ** 2, 10);
    for (const { x, y } of plot?.quadratic ?? []) expect(y).toBeCloseTo(((x - 2) / 0.5) ** 2, 10);
    expect(Math.max(...(plot?.points ?? []).map(({ y }) => y))).toBeLessThanOrEqual(1.9 * 4);
    const [signed] = profilePlots(report, false, new Map());
    expect(signed?.cutoffs).toEqual([-2, 2]);
    expect(signed?.quadratic).toEqual([]);
    expect(Math.min(...(signed?.points ?? []).map(({ y }) => y))).toBeLessThan(-2);
  });

  it('flags what is doubtful of the fit and of the method, and leaves out what is not known', () => {
    const facts = statisticFacts(report);
    expect(facts.map(({ name, tone }) => [name, tone])).toEqual([
      ['AIC', 'ok'],
      ['two-sided runs test, p', 'caution'],
      ['condition number, scaled', 'caution'],
    ]);
    expect(diagnosticFacts(report).map(({ tone }) => tone)).toEqual(['caution', 'ok']);
  });

  it('is taken away as tables, in full digits', () => {
    const draft = { format: 'cotangent/1', blocks: [{ id: 'a', kind: 'parameter', unit: 'mg/L' }] };
    const tables = uncertaintyTables({ ...report, draws: [{ name: 'a', chains: [Float64Array.of(1 / 3)] }] }, draft);
    expect(tables.map(({ name }) => name)).toEqual(['parameters', 'statistics', 'correlation', 'profiles', 'draws']);
    expect(toCsv(tables[0]!)).toContain('a,2,mg/L,1,3,0.95,0.5,determined,for determined\r\n');
    expect(tables[0]!.columns.slice(0, 6)).toEqual(['parameter', 'value', 'unit', 'lower', 'upper', 'level']);
    expect(tables.at(-1)?.rows).toEqual([[1, 1, 1 / 3]]);
  });
});

describe('tables as files', () => {
  const table = { name: 't', columns: ['a', 'b'], rows: [['x, "y"', NaN]] as const };

  it('quotes as RFC 4180 asks', () => {
    expect(toCsv(table)).toBe('a,b\r\n"x, ""y""",NaN\r\n');
  });

  it('writes numbers that JSON lacks as words', () => {
    expect(JSON.parse(toJson(table))).toEqual([{ a: 'x, "y"', b: 'NaN' }]);
  });

  it('makes a file name of any title', () => {
    expect(fileStem('Oral absorption, 12 subjects', 'profile')).toBe('oral-absorption-12-subjects-profile');
    expect(fileStem('Ω, Änderung')).toBe('omega-aenderung');
    expect(fileStem('–')).toBe('cotangent');
  });
});

describe('samples', () => {
  it('are all counted, each in one bin', () => {
    const samples = Array.from({ length: 500 }, (_, i) => Math.sin(i) * i);
    const bins = binned([...samples, NaN]);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(500);
    expect(bins.length).toBeGreaterThanOrEqual(5);
    expect(bins.slice(1).every(({ from }, i) => from === bins[i]?.to)).toBe(true);
    expect(binned([2, 2])).toEqual([{ from: 2, to: 2, count: 2 }]);
    expect(binned([])).toEqual([]);
  });

  it('are thinned evenly', () => {
    expect(thinned([0, 1, 2, 3, 4, 5, 6], 3)).toEqual([
      { at: 0, value: 0 },
      { at: 3, value: 3 },
      { at: 6, value: 6 },
    ]);
  });
});

describe('residuals', () => {
  it('that are normal quantiles lie on the line of the quartiles', () => {
    const some = Array.from({ length: 41 }, (_, i) => ({ x: i, y: i }));
    const normal = quantilePoints(some).map(({ x }, i) => ({ x: i, y: 3 + 2 * x }));
    const points = quantilePoints(normal.reverse());
    const line = quartileLine(points);
    expect(line?.slope).toBeCloseTo(2, 10);
    expect(line?.offset).toBeCloseTo(3, 10);
    expect(quartileLine(points.slice(0, 3))).toBeUndefined();
  });
});
