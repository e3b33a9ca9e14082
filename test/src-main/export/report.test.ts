/** Reports: complete, of one file, and with nothing of a document read as markup. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { studyMeaning } from '../../../models/lower/meaning.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { design } from '../../../src-main/compute/study/design.ts';
import { uncertainty } from '../../../src-main/compute/study/uncertainty.ts';
import { readDocument, writeDocument } from '../../../src-main/files/documents.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import { reportHtml } from '../../../src-main/export/report.ts';
import { column, constant, cotangent, documentOf, map, parameter } from '../../support/command-line.ts';

const catalogue = join('models', 'catalogue');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cotangent-report-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function reportOf(path: string): Promise<string> {
  const { status, stdout, stderr } = await cotangent('report', path);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const titlesIn = (html: string) => [...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, title]) => title);
const labelsIn = (html: string) => [...html.matchAll(/role="img" aria-label="(.*?)"/g)].map(([, label]) => label);

/** Elements that are closed in their order; MathML and SVG among them. */
function expectBalanced(html: string): void {
  const open: string[] = [];
  for (const [, end, name = '', rest = ''] of html.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|[^">])*)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!rest.endsWith('/') && name !== 'meta') open.push(name);
  }
  expect(open).toEqual([]);
}

describe('the report of a fitted model', () => {
  let html: string;
  beforeAll(async () => {
    html = await reportOf(join(catalogue, 'thurber.cot.json'));
  });

  it('has all its sections and plots', () => {
    expect(titlesIn(html)).toEqual([
      'Fit',
      'Plots',
      'What the data determine',
      'Sensitivity',
      'Model',
      'Data',
      'Where this comes from',
    ]);
    expect(labelsIn(html)).toEqual([
      'log₁₀ objective against iteration',
      'Correlation of the parameters',
      'y against x',
      'residuals against x',
      'residual against normal quantile',
      'Sensitivity of curve',
      'The model: 11 blocks, 10 wires',
    ]);
  });

  it('tells the certified values, what they are worth, and the formula typeset', () => {
    // NIST StRD, Thurber: b1 = 1288.1396800, standard deviation 4.6647963344.
    expect(html).toMatch(/<td>b1<\/td><td class="number">1288\.14<\/td><td class="number">4\.664796<\/td>/);
    expect(html).toContain('well determined, to ±');
    expect(html).toContain('<td>Anderson–Darling test of normality, p</td>');
    expect(html).toMatch(/<math[^>]*>.*<mfrac>/s);
  });

  it('needs nothing beside it, and runs nothing', () => {
    expectBalanced(html);
    expect(html).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\shref=|url\(|@import|\son\w+=/i);
  });
});

it('calls elements of parameters by the labels that they are for, as the window does', async () => {
  const html = await reportOf(join(catalogue, 'puromycin.cot.json'));
  expect(html).toContain('<td>Vmax[treated]</td>');
  expect(html).toContain('Km[untreated]');
  expect(html).not.toMatch(/(Vmax|Km)\[\d\]/);
});

it('reads nothing of a document as markup', async () => {
  const path = join(folder, 'odd.cot.json');
  const evil = '<script>alert(1)</script>"&';
  const document = JSON.parse(readFileSync(join(catalogue, 'misra1a.cot.json'), 'utf8')) as {
    name?: string;
    note?: string;
    tables: { data: { excluded?: object[] } };
    blocks: { note?: string; unit?: string }[];
  };
  document.tables.data.excluded = [{ row: 1, why: `${evil} spilt` }];
  document.name = evil;
  document.note = evil;
  for (const block of document.blocks) block.note = evil;
  copyFileSync(join(catalogue, 'misra1a.csv'), join(folder, 'misra1a.csv'));
  writeFileSync(path, JSON.stringify(document));
  const html = await reportOf(path);
  expect(html).not.toContain('<script');
  // Whatever a mistake of ours let through would not run, nor reach anybody.
  const policy = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(html)?.[1];
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('script-src');
  expect(html).toContain('<h1>&lt;script&gt;alert(1)&lt;/script&gt;&quot;&amp;</h1>');
  expect(html).toContain('This model has not been fitted.');
  expect(html).toContain('&quot;&amp; spilt</td><td>y 14.73E0, x 114.9E0</td>');
  expectBalanced(html);
});

it('tells of the studies that were saved beside the document and are still of it', async () => {
  const path = join(folder, 'misra1a.cot.json');
  for (const name of ['misra1a.cot.json', 'misra1a.csv']) copyFileSync(join(catalogue, name), join(folder, name));
  const document = await readDocument(path);
  const device = cpuDevice({ threads: 1 });
  const request = { kind: 'uncertainty', method: 'profile' } as const;
  const model = demandModel(await load(document, folder));
  const report = await uncertainty(model, device, request, { parameters: {} }).finally(() => device.close());
  const other = { ...report, method: 'covariance', meaning: 'another' } as const;
  const studies = [report, other].map((found) => ({ report: found, parameters: {} }));
  await writeDocument(path, document, null, { studies: { documents: [], studies } });
  const titles = titlesIn(await reportOf(path));
  expect([titles.includes('Profile likelihood'), titles.includes('Covariance')]).toEqual([true, false]);
  writeFileSync(path.replace('.cot.json', '.studies.json'), '{');
  const { status, stderr } = await cotangent('report', path);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^cotangent: What studies found is not shown: [^\n]+\n$/),
  });
});

it('draws what studies find as the document has it look', async () => {
  const device = cpuDevice({ threads: 1 });
  try {
    const plain = await readDocument(join(catalogue, 'misra1a.cot.json'));
    const looks = {
      b2: {
        ...{ title: 'Rate of it', x: { scale: 'log', title: 'rate & more' }, y: { title: 'loss of fit' } },
        ...{ size: [84, 60], font: { family: 'serif', size: 8 }, groups: { '': { color: 'orange' } } },
      },
    };
    const model = demandModel(await load({ ...plain, view: { plots: looks } }, catalogue));
    const found = await uncertainty(model, device, { kind: 'uncertainty', method: 'profile' }, { parameters: {} });
    const ask = { model, fit: null, parameters: {}, version: '0', date: new Date(0), studies: [found] };
    const html = await reportHtml(ask, device);
    const figureOf = (name: string): string =>
      html.split('<figure>').find((part) => part.includes(`Profile of ${name}, all others fitted again`)) ?? '';
    const [drawn, usual] = [figureOf('b2'), figureOf('b1')];
    for (const said of [
      'Rate of it',
      'rate &amp; more',
      'loss of fit',
      'width="84mm" height="60mm"',
      'Times',
      'var(--g2)',
    ])
      expect([said, drawn.includes(said), usual.includes(said)]).toEqual([said, true, false]);
    expect(usual).toContain('−2 Δlog L');
    // On its logarithm a rate lies elsewhere than in equal steps: the middle of what was computed tells.
    const { values } = found.profiles!.find(({ name }) => name === 'b2')!;
    const places = [...drawn.matchAll(/[ML](-?[\d.]+) -?[\d.]+/g)].map(([, x]) => Number(x)).slice(-values.length);
    const share = (of: readonly number[]): number => {
      const [low, high] = [Math.min(...of), Math.max(...of)];
      return (of.toSorted((a, b) => a - b)[of.length >> 1]! - low) / (high - low);
    };
    expect(share(places)).toBeCloseTo(share(values.map(Math.log)), 2);
  } finally {
    device.close();
  }
}, 120_000);

it('says of a compared model that is another one but for its start values that it is the same', async () => {
  const device = cpuDevice({ threads: 1 });
  try {
    const model = await tabled();
    const figures = { status: 'converged', objective: 1, parameters: 1, observations: 3, logLikelihood: 0 } as const;
    const one = { ...figures, name: 'this model', aicc: 2, delta: 0, weight: 1, bic: 2 };
    const models = [one, { ...one, name: 'Model 2', weight: NaN, same: 'this model' }];
    const ran = {
      cancelled: false,
      seed: 0,
      device: 'cpu',
      precision: 'f64',
      milliseconds: 1,
      finishedAt: '',
    } as const;
    const meaning = studyMeaning(model);
    const compared = { kind: 'comparison', method: 'aicc', models, nested: [], warnings: [], ...ran, meaning } as const;
    const asked = { model, fit: null, parameters: {}, version: '', date: new Date(), studies: [compared] };
    expect(await reportHtml(asked, device)).toMatch(
      /<td>Model 2<\/td>.*<td class="number">–<\/td>.*the same as this model/,
    );
  } finally {
    device.close();
  }
});

it('lists what a fit would find where there is none: of random effects their deviation, and bounds as they are written', async () => {
  const columns = { who: ['a', 'a', 'b', 'b'], y: [1, 1.2, 3, 3.1] };
  const blocks = [
    { ...column('who'), type: 'category' },
    ...[column('y'), parameter('mean', 1)],
    { id: 'between', kind: 'random-effect', like: 'who', names: ['a'] },
    { id: 'own', kind: 'gather', from: 'between.a', indices: 'who' },
    map('m', 'mean + own'),
    { id: 'l', kind: 'likelihood', family: 'normal', mean: 'm', sigma: 0.1, observed: 'y' },
  ];
  const model = demandModel(await load(documentOf(blocks, { objective: 'l', tables: { T: { columns } } }), undefined));
  const device = cpuDevice({ threads: 1 });
  const asked = { model, fit: null, parameters: {}, version: '', date: new Date() };
  const html = await reportHtml(asked, device).finally(() => device.close());
  const fit = html.slice(html.indexOf('<h2>Fit</h2>'), html.indexOf('</section>'));
  expect([...fit.matchAll(/<tr><td>(.*?)<\/td>/g)].map(([, name]) => name)).toEqual(['mean', 'between.sd.a']);
  expect(fit).toMatch(/<td>mean<\/td>.*>−∞<.*>∞</);
});

it('tells of studies of a quantity and of a parameter, and of none that another model had', async () => {
  const device = cpuDevice({ threads: 1 });
  try {
    const [x, y] = [
      [1, 2, 3, 4],
      [2.1, 3.9, 6.2, 7.8],
    ];
    const modelOf = async (formula: string) => {
      const blocks = [constant('x', x), constant('y', y), parameter('a', 1), map('m', formula)];
      const twice = { id: 'twice', kind: 'quantity', formula: '2*a' };
      const squares = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
      return demandModel(await load(documentOf([...blocks, twice, squares], { objective: 'l' }), undefined));
    };
    const model = await modelOf('a*x');
    const at = { parameters: {} };
    const found = await uncertainty(model, device, { kind: 'uncertainty', method: 'covariance' }, at);
    expect(found.quantities).toHaveLength(1);
    const next = await design(await tabled(), device, { kind: 'design', method: 'c', of: 'k' }, at);
    const report = async (of: Model, study: StudyReport) =>
      titlesIn(
        await reportHtml(
          { model: of, fit: null, parameters: {}, version: '', date: new Date(), studies: [study] },
          device,
        ),
      );
    expect(await report(model, found)).toContain('Covariance');
    expect(await report(await modelOf('a*x^2'), found)).not.toContain('Covariance');
    expect(await report(await tabled(), next)).toContain('What to measure next');
  } finally {
    device.close();
  }
});

/** An abscissa along which more could be measured is a column. */
async function tabled(): Promise<Model> {
  const columns = { t: [1, 2, 4], s: [0.61, 0.36, 0.14] };
  const squares = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 's' };
  const blocks = [column('t'), column('s'), parameter('k', 0.4), map('m', 'exp(-k*t)'), squares];
  return demandModel(await load(documentOf(blocks, { objective: 'l', tables: { T: { columns } } }), undefined));
}
