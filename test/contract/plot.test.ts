/** `plot`: the contract's JSON, SVG files, a picture in characters; bands against the closed form of a line. */
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import studentQuantile from '@stdlib/stats-base-dists-t-quantile';
import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import type { Plot } from '../../src-main/contract/plots.ts';
import { writeDocument } from '../../src-main/files/documents.ts';
import { cotangent, documentOf, folderWith, json, map, parameter, refusal, written } from '../support/command-line.ts';

interface Plots {
  readonly at: 'fit' | 'initial';
  readonly plots: readonly Plot[];
}

const plotted = async (...args: string[]): Promise<Plots> => (await json('plot', ...args)) as Plots;

const x = [1, 2, 3, 4, 6];
const y = [1.2, 1.9, 3.2, 3.8, 6.1];
const column = (id: string) => ({ id, kind: 'column', table: 'obs', column: id });
const line = documentOf(
  [
    column('x'),
    column('y'),
    parameter('a', 0.5),
    parameter('b', 1),
    map('curve', 'a + b * x'),
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ],
  { tables: { obs: { columns: { x, y } } }, objective: 'loss' },
);

/** The document with the fit that the window would have stored beside it. */
async function fitted(document: Record<string, unknown>): Promise<string> {
  const path = join(folderWith({}), 'line.cot.json');
  const device = cpuDevice();
  const model = demandModel(await load(document, undefined));
  const fit = await fitModel(model, device, { parameters: {} });
  device.close();
  await writeDocument(path, document, fit);
  return path;
}

describe('without a fit', () => {
  it('plots at the initial values, without bands', async () => {
    const { at, plots } = await plotted(written(line));
    expect(at).toBe('initial');
    expect(plots.map(({ of, kind }) => [of, kind])).toEqual([
      ['loss', 'comparison'],
      ['loss', 'residuals'],
    ]);
    const [comparison, residuals] = plots as [Plot, Plot];
    expect(comparison.x).toEqual({ id: 'x', label: 'x', unit: '', scale: 'linear' });
    expect(comparison.y.id).toBe('y');
    const [group] = comparison.groups;
    expect(group).toMatchObject({ key: null, points: { x, y } });
    expect(group?.band).toBeUndefined();
    group?.curve?.x.forEach((at, i) => expect(group.curve?.y[i]).toBeCloseTo(0.5 + at, 12));
    expect(residuals.groups[0]?.points.y.map((r) => Number(r.toFixed(12)))).toEqual([-0.3, -0.6, -0.3, -0.7, -0.4]);
  });

  it('plots with other values by --set', async () => {
    const { plots } = await plotted(written(line), '--set', 'a=2');
    expect(plots[0]?.groups[0]?.curve?.y[0]).toBeCloseTo(3, 12);
  });
});

describe('as the document has it look', () => {
  const replicates = { x: [0, 1, 1, 10, 10, 100], y: [0.5, 1, 2, 3, 5, 4] };
  const looking = (look: object): Record<string, unknown> => ({
    ...line,
    tables: { obs: { columns: replicates } },
    view: { plots: { loss: look } },
  });

  it('divides its axes, and computes the curve evenly on them', async () => {
    const { plots } = await plotted(
      written(looking({ x: { scale: 'log', title: 'dose, nM' }, y: { scale: 'percent' } })),
    );
    const [comparison, residuals] = plots as [Plot, Plot];
    expect([comparison.x, comparison.y.scale]).toMatchObject([{ scale: 'log', title: 'dose, nM' }, 'percent']);
    expect([residuals.x.scale, residuals.y.scale]).toEqual(['log', 'linear']);
    const { points, curve } = comparison.groups[0]!;
    expect(points).toMatchObject(replicates);
    curve!.x.slice(1).forEach((at, i) => expect(at / curve!.x[i]!).toBeCloseTo(100 ** (1 / (curve!.x.length - 1)), 9));
    curve!.x.forEach((at, i) => expect(curve!.y[i]).toBeCloseTo(0.5 + at, 9));
  });

  it('draws means of replicates with what they are asked to show', async () => {
    const of = async (errors: string) => (await plotted(written(looking({ errors })))).plots[0]!.groups[0]!;
    const sd = ['NaN', Math.SQRT1_2, Math.SQRT2, 'NaN'];
    for (const [errors, scaled] of [
      ['sd', 1],
      ['sem', Math.SQRT1_2],
    ] as const) {
      const { means, points } = await of(errors);
      expect([means!.x, means!.y]).toEqual([
        [0, 1, 10, 100],
        [0.5, 1.5, 4, 4],
      ]);
      expect(means!.error).toEqual(
        sd.map((each) => (typeof each === 'string' ? each : (expect.closeTo(each * scaled, 12) as unknown))),
      );
      expect(points).toMatchObject(replicates);
    }
    expect((await of('none')).means).toBeUndefined();
  });

  it('writes a picture of the size that is asked for, and says what has no place in it', async () => {
    const look = { title: 'Dose < response', x: { scale: 'log' }, size: [84, 60], font: { size: 8, family: 'serif' } };
    const path = written(looking({ ...look, groups: { '': { color: 'orange', symbol: 'square' } } }));
    const out = folderWith({});
    expect((await cotangent('plot', path, '--out', out)).status).toBe(0);
    const svg = readFileSync(join(out, 'loss-comparison.svg'), 'utf8');
    expect(svg).toContain('width="84mm" height="60mm" style="font: 11px \'Times New Roman');
    expect(svg).toContain('>Dose &lt; response</text>');
    expect(svg).toContain('1 point has no place: not above 0');
    expect(svg.match(/<path class="data" style="stroke:var\(--g2\)"/g)).toHaveLength(5);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(readFileSync(join(out, 'loss-residuals.svg'), 'utf8')).not.toContain('Dose');
  });

  it('says of the residuals as well, in every picture, what has no place in it', async () => {
    const path = written(looking({ x: { scale: 'log' } }));
    const out = folderWith({});
    await cotangent('plot', path, '--out', out);
    const [terminal, report] = [(await cotangent('plot', path)).stdout, (await cotangent('report', path)).stdout];
    const said = (text: string) => text.match(/1 point has no place: not above 0/g)?.length ?? 0;
    const residuals = readFileSync(join(out, 'loss-residuals.svg'), 'utf8');
    expect(said(residuals)).toBe(1);
    expect(residuals).not.toMatch(/NaN|Infinity/);
    expect([said(terminal), said(report)]).toEqual([2, 2]);
    expect((await cotangent('plot', written(looking({})))).stdout).not.toContain('no place');
  });

  it('says in the panel of each group what is censored and what has no place there', async () => {
    const columns = {
      x: [0, 1, 2, 1, 2, 3],
      y: [1, 2, 3, 1, 2, 3],
      low: [null, null, null, 1, 1, null],
      g: [...'aaabbb'],
    };
    const { blocks, ...rest } = line;
    const document = {
      ...rest,
      tables: { obs: { columns } },
      blocks: [
        ...(blocks as { id: string }[]).filter(({ id }) => id !== 'loss' && id !== 'a'),
        { ...column('g'), type: 'category' },
        column('low'),
        { id: 'as', kind: 'parameter', like: 'g', initial: 0 },
        { id: 'a', kind: 'gather', from: 'as', indices: 'g' },
        {
          ...{ id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'curve', sigma: 1 },
          censored: { left: 'low' },
        },
      ],
      view: { plots: { loss: { x: { scale: 'log' } } } },
    };
    const out = folderWith({});
    expect(await cotangent('plot', written(document), '--out', out)).toMatchObject({ status: 0, stderr: '' });
    const panels = readFileSync(join(out, 'loss-comparison.svg'), 'utf8').split('<g>').slice(1);
    expect(panels.map((panel) => [...panel.matchAll(/class="note"[^>]*>([^<]*)/g)].map(([, note]) => note))).toEqual([
      ['1 point has no place: not above 0'],
      ['1 censored: ▽ at most that'],
    ]);
  });

  it('changes no result, and is refused where it is none', async () => {
    const values = async (document: Record<string, unknown>) => json('evaluate', written(document), '--output', 'loss');
    expect(await values(looking({ x: { scale: 'reciprocal' } }))).toEqual(await values(looking({})));
    expect(await refusal(looking({ x: { scale: 'logit' } }))).toMatch(/scale/);
    expect(await refusal(looking({ size: [5, 60] }))).toMatch(/millimetres/);
  });
});

describe('at a stored fit', () => {
  it('has the bands of linear regression on the curve’s own grid', async () => {
    const { at, plots } = await plotted(await fitted(line), '--bands', '0.9');
    expect(at).toBe('fit');
    const { curve, band } = plots[0]!.groups[0]!;
    expect(band?.level).toBe(0.9);
    const mean = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0) / of.length;
    const spread = x.reduce((sum, each) => sum + (each - mean(x)) ** 2, 0);
    const slope = x.reduce((sum, each, i) => sum + (each - mean(x)) * (y[i]! - mean(y)), 0) / spread;
    const at0 = (value: number) => mean(y) + slope * (value - mean(x));
    const variance = y.reduce((sum, each, i) => sum + (each - at0(x[i]!)) ** 2, 0) / 3;
    const t = studentQuantile(0.95, 3);
    curve!.x.forEach((value, i) => {
      const squared = variance * (1 / 5 + (value - mean(x)) ** 2 / spread);
      expect(curve!.y[i]).toBeCloseTo(at0(value), 6);
      expect(band!.confidence.lower[i]).toBeCloseTo(at0(value) - t * Math.sqrt(squared), 6);
      expect(band!.confidence.upper[i]).toBeCloseTo(at0(value) + t * Math.sqrt(squared), 6);
      expect(band!.prediction!.upper[i]).toBeCloseTo(at0(value) + t * Math.sqrt(squared + variance), 6);
    });
  });

  it.each([
    [
      'tied',
      [parameter('m', [0.5, 1.5], { support: 'ordered' }), { id: 'mu', kind: 'gather', from: 'm', indices: 'g' }],
    ],
    [
      'one at the other, which bounds it',
      [parameter('a', 0), parameter('b', 0.3, { lower: 'a' }), map('mu', 'if(g < 0.5, exp(a), exp(b))')],
    ],
  ])('has the band of one mean where two are %s', async (_, blocks) => {
    const columns = { g: [0, 0, 0, 0, 1, 1, 1, 1], y: [1, 1.3, 0.9, 1.15, 1.1, 0.8, 1.2, 1] };
    const document = documentOf(
      [column('g'), column('y'), ...blocks, { id: 'loss', kind: 'least-squares', prediction: 'mu', observed: 'y' }],
      { tables: { obs: { columns } }, objective: 'loss' },
    );
    const { plots } = await plotted(await fitted(document));
    const mean = columns.y.reduce((sum, each) => sum + each, 0) / 8;
    const variance = columns.y.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 7;
    const [half, further] = [1 / 8, 9 / 8].map((share) => studentQuantile(0.975, 7) * Math.sqrt(share * variance));
    for (const { band } of plots[0]!.groups) {
      for (const each of band!.confidence.upper) expect(each).toBeCloseTo(mean + half!, 7);
      for (const each of band!.prediction!.upper) expect(each).toBeCloseTo(mean + further!, 7);
    }
  });

  it('has the band of a line whose slope is a sum that the data determine, and its parts not', async () => {
    const known = { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y', sigma: 0.3 };
    const through = (blocks: readonly Record<string, unknown>[], formula: string) =>
      documentOf([column('x'), column('y'), ...blocks, map('curve', formula), known], {
        tables: { obs: { columns: { x, y } } },
        objective: 'loss',
      });
    const z = 1.959963984540054;
    const error = 0.3 / Math.sqrt(x.reduce((sum, each) => sum + each ** 2, 0));
    const shares = [
      parameter('w', [0.3, 0.3, 0.4], { support: 'simplex' }),
      { id: 'first', kind: 'constant', value: 0, type: 'int' },
      { id: 'share', kind: 'gather', from: 'w', indices: 'first' },
    ];
    for (const document of [
      through([parameter('a', 0.5), parameter('b', 1)], '(a + b) * x'),
      through(shares, '4 * share * x'),
    ]) {
      const { plots } = await plotted(await fitted(document));
      const { curve, band } = plots[0]!.groups[0]!;
      curve!.x.forEach((value, i) => {
        expect(band!.confidence.upper[i]! - curve!.y[i]!).toBeCloseTo(z * error * value, 9);
        expect(band!.prediction!.upper[i]! - curve!.y[i]!).toBeCloseTo(z * Math.hypot(error * value, 0.3), 9);
      });
    }
  });

  it('takes the initial values where the fit is of another document', async () => {
    expect((await plotted(await fitted(line), '--set', 'b=3')).at).toBe('initial');
  });
});

describe('what `fit --out` writes', () => {
  it('is known to `plot` as the stored fit of the document', async () => {
    const path = written(line);
    expect((await plotted(path)).at).toBe('initial');
    expect((await cotangent('fit', path, '--out', path.replace('.cot.json', '.fit.json'))).status).toBe(0);
    const { at, plots } = await plotted(path);
    expect(at).toBe('fit');
    expect(plots[0]!.groups[0]!.band?.level).toBe(0.95);
  });

  it('is a document that evaluates to what was reported, with its fit', async () => {
    const path = written(line);
    const out = join(folderWith({}), 'fitted.cot.json');
    const fit = JSON.parse((await cotangent('fit', path, '--out', out, '--json')).stdout) as {
      objective: number;
      parameters: Record<string, { value: number }>;
    };
    const { values } = (await json('evaluate', out, '--output', 'loss,a,b')) as { values: Record<string, number> };
    expect(values['loss']).toBeCloseTo(fit.objective, 12);
    expect([values['a'], values['b']]).toEqual([fit.parameters['a']!.value, fit.parameters['b']!.value]);
    const { at, plots } = await plotted(out);
    expect(at).toBe('fit');
    expect(plots[0]!.groups[0]!.band).toBeDefined();
  });

  it('is no document away from the files of its tables', async () => {
    const tables = { obs: { file: 'obs.csv' } };
    const path = written({ ...line, tables }, { 'obs.csv': 'x,y\n1,1\n2,2.1\n3,2.9\n' });
    const { status, stderr } = await cotangent('fit', path, '--out', join(folderWith({}), 'fitted.cot.json'));
    expect(status).toBe(2);
    expect(stderr).toContain('in its own folder');
    const beside = join(path, '..', 'fitted.cot.json');
    expect((await cotangent('fit', path, '--out', beside)).status).toBe(0);
    expect((await plotted(beside)).at).toBe('fit');
  });
});

describe('examples', () => {
  const catalogue = join('models', 'catalogue');

  it('holds each curve within its own confidence band, replicates or not', async () => {
    for (const name of ['dnase-assay', 'influenza-sir', 'theophylline-oral', 'hare-lynx']) {
      const { at, plots } = await plotted(join(catalogue, `${name}.cot.json`));
      expect(at).toBe('fit');
      const groups = plots.flatMap((plot) => (plot.kind === 'comparison' ? plot.groups : []));
      expect(groups.length).toBeGreaterThan(0);
      for (const { curve, band } of groups) {
        expect(band!.confidence.lower.length).toBe(curve!.x.length);
        curve!.y.forEach((at, i) => {
          expect(band!.confidence.lower[i]).toBeLessThanOrEqual(at);
          expect(band!.confidence.upper[i]).toBeGreaterThanOrEqual(at);
        });
      }
    }
  });

  it('shows rows that count for nothing hollow, after the others, with nothing predicted of them', async () => {
    const excluded = [{ row: 1, why: 'the stopper leaked' }];
    const tables = { obs: { columns: { x, y }, excluded } };
    const { plots } = await plotted(written({ ...line, tables }));
    const { points, curve } = plots[0]!.groups[0]!;
    expect(points).toMatchObject({
      x: [1, 3, 4, 6, 2],
      y: [1.2, 3.2, 3.8, 6.1, 1.9],
      predicted: [1.5, 3.5, 4.5, 6.5, 'NaN'],
      rows: [0, 2, 3, 4, 1],
      excluded: [false, false, false, false, true],
    });
    expect(curve?.x[0]).toBe(1);
    expect(plots[1]!.groups[0]!.points.x).toEqual([1, 3, 4, 6]);
  });

  it('counts a histogram over its quantity', async () => {
    const { plots } = await plotted(join(catalogue, 'old-faithful.cot.json'));
    expect(plots[0]).toMatchObject({ kind: 'histogram', x: { id: 'waiting', unit: 'min' }, y: { id: 'counts' } });
    expect(plots[0]?.edges?.slice(0, 3)).toEqual([42, 45, 48]);
    expect(plots[0]?.groups[0]?.points.x[0]).toBe(43.5);
    expect(plots[0]?.groups[0]?.curve).toBeUndefined();
  });

  it('writes a file for each plot, and a picture in characters', async () => {
    const folder = folderWith({});
    copyFileSync(join(catalogue, 'misra1a.csv'), join(folder, 'misra1a.csv'));
    copyFileSync(join(catalogue, 'misra1a.cot.json'), join(folder, 'm.cot.json'));
    const path = join(folder, 'm.cot.json');
    const out = join(folder, 'pictures', 'of m');
    expect(await cotangent('plot', path, '--out', out)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync(out).sort()).toEqual(['loss-comparison.svg', 'loss-residuals.svg']);
    const svg = readFileSync(join(out, 'loss-comparison.svg'), 'utf8');
    expect(svg).toContain('<path class="curve"');
    expect(svg).not.toMatch(/NaN|undefined/);
    expect((await cotangent('plot', path)).stdout).toContain('loss, comparison: y');
  });
});

it('refuses a level that is none, and a document at fault', async () => {
  const level = await cotangent('plot', written(line), '--bands', '95');
  expect(level.status).toBe(2);
  expect(level.stderr).toContain('between 0 and 1');
  const broken = documentOf([map('curve', 'nobody')]);
  expect(await refusal(broken, {}, ['plot'])).toContain('nobody');
});
