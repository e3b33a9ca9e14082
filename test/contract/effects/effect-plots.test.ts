/** What `diagnose` tells, as plots beside those of the model: the same numbers, and normals in closed form. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Plot } from '../../../src-main/contract/plots.ts';
import { cotangent, fitJson, folderWith, json } from '../../support/command-line.ts';

const theophylline = join('models', 'catalogue', 'theophylline-population.cot.json');

interface Quantile {
  readonly observed: number;
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}
interface Block {
  readonly x: { readonly values: readonly number[] };
  readonly observed: readonly number[];
  readonly population: readonly number[];
  readonly conditionalResiduals: readonly number[];
  readonly predictionErrors: readonly number[];
  readonly check: readonly { readonly x: number; readonly quantiles: readonly Quantile[] }[];
}
interface Plotted {
  readonly plots: readonly Plot[];
  readonly diagnostics: readonly { readonly name: string; readonly note: string; readonly plot: Plot }[];
  readonly misfits: readonly [
    {
      readonly of: string;
      readonly groups: readonly { readonly key: string; readonly rows: number; readonly meanSquare: number }[];
    },
  ];
}

describe('of the theophylline population', () => {
  let plotted: Plotted;
  let block: Block;
  beforeAll(async () => {
    plotted = (await json('plot', theophylline)) as Plotted;
    [block] = ((await json('diagnose', theophylline)) as { blocks: [Block] }).blocks;
  });
  const named = (name: string) => plotted.diagnostics.find((each) => each.name === name)!;

  it('residuals and checks are those of diagnose', () => {
    expect(plotted.diagnostics.map(({ name, plot }) => `${plot.of} ${name} ${plot.kind}`)).toEqual([
      'loss check comparison',
      'loss cwres residuals',
      'loss cwres-prediction residuals',
      'loss npde residuals',
      'loss npde-prediction residuals',
      'eta ka histogram',
      'eta CL histogram',
    ]);
    const { x, population, conditionalResiduals: cwres, predictionErrors: npde } = block;
    for (const [name, places, values] of [
      ['cwres', x.values, cwres],
      ['cwres-prediction', population, cwres],
      ['npde', x.values, npde],
      ['npde-prediction', population, npde],
    ] as const)
      expect(named(name).plot.groups.map(({ points }) => points)).toEqual([{ x: places, y: values }]);
    const [observed, ...quantiles] = named('check').plot.groups;
    expect(observed?.points).toEqual({ x: x.values, y: block.observed });
    expect(quantiles.map(({ key }) => key)).toEqual(['10 %', '50 %', '90 %']);
    quantiles.forEach(({ points, curve, band }, k) => {
      const along = (figure: keyof Quantile) => block.check.map((bin) => bin.quantiles[k]![figure]);
      expect(points).toEqual({ x: block.check.map((bin) => bin.x), y: along('observed') });
      expect(curve?.y).toEqual(along('median'));
      expect(band).toEqual({ level: 0.95, confidence: { lower: along('lower'), upper: along('upper') } });
    });
  });

  it('modes stand beneath the normal of the population', async () => {
    const { parameters, random } = await fitJson<{
      parameters: Record<string, { value: number }>;
      random: { eta: { groups: string[] } & Record<'ka' | 'CL', { value: number[]; shrinkage: number }> };
    }>([theophylline]);
    for (const name of ['ka', 'CL'] as const) {
      const { plot, note } = named(name);
      const { value, shrinkage } = random.eta[name];
      const sd = parameters[`eta.sd.${name}`]!.value;
      const [group] = plot.groups;
      const edges = plot.edges!;
      const width = edges[1]! - edges[0]!;
      expect(edges.at(-1)! - edges[0]!).toBeCloseTo(Math.max(...value) - Math.min(...value), 4);
      expect(group!.points.y.reduce((sum, count) => sum + count, 0)).toBe(12);
      group!.curve!.x.forEach((b, i) => {
        const density = Math.exp(-0.5 * (b / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
        expect(group!.curve!.y[i]).toBeCloseTo(12 * width * density, 4);
      });
      expect(note).toContain(`shrinkage ${Number((100 * shrinkage).toPrecision(2))}`.replace('-', '−').slice(0, 12));
    }
  });

  it('groups lie the worst first, by their conditional residuals', () => {
    const [{ of, groups }] = plotted.misfits;
    expect(of).toBe('loss');
    expect(groups.map(({ rows }) => rows)).toEqual(new Array(12).fill(11));
    const squares = groups.map(({ meanSquare }) => meanSquare);
    expect(squares).toEqual([...squares].sort((a, b) => b - a));
    // Subjects stand one after the other in the table.
    for (const { key, meanSquare } of groups) {
      const own = block.conditionalResiduals.slice(11 * (Number(key) - 1), 11 * Number(key));
      expect(meanSquare).toBeCloseTo(own.reduce((sum, r) => sum + r * r, 0) / 11, 10);
    }
  });

  it('are files, characters and a section of the report', async () => {
    const out = folderWith({});
    expect((await cotangent('plot', theophylline, '--out', out)).status).toBe(0);
    expect(readdirSync(out)).toEqual(
      expect.arrayContaining(['loss-check.svg', 'loss-cwres.svg', 'loss-npde-prediction.svg', 'eta-ka.svg']),
    );
    const { stdout } = await cotangent('plot', theophylline);
    expect(stdout).toContain('loss, comparison, observed, 10 %, 50 %, 90 %: conc');
    const html = (await cotangent('report', theophylline)).stdout;
    expect(html).toContain('<h2>Random effects</h2>');
    expect(html).toContain('>Visual predictive check</text>');
  });
});

it('a model without random effects has none, and says nothing of them', async () => {
  const found = (await json('plot', join('models', 'catalogue', 'misra1a.cot.json'))) as object;
  expect(Object.keys(found)).toEqual(['at', 'plots']);
});
