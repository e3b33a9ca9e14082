/** Reports: complete, of one file, and with nothing of a document read as markup. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cotangent } from '../../support/command-line.ts';

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
