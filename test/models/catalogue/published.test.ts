/** Fits of the catalogue against what others have published of the same data and model. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { catalogue } from '../../../models/catalogue/index.ts';
import { parseDocument } from '../../../models/format/parse.ts';
import { loadModel } from '../../../models/load/model.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { readFit } from '../../../src-main/files/documents.ts';

const folder = join(import.meta.dirname, '../../../models/catalogue');

interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** `change`: of the document's text, before it is read. */
async function fitted(name: string, change = (text: string) => text): Promise<(parameter: string) => Estimate> {
  const parsed = parseDocument(change(await readFile(join(folder, `${name}.cot.json`), 'utf8')));
  if ('problems' in parsed) throw new Error(parsed.problems[0]?.message);
  const { model } = await loadModel(parsed.document, nodeFiles(folder));
  if (!model) throw new Error(`${name} is no model`);
  const device = cpuDevice();
  try {
    const { status, estimates } = await fitModel(model, device, { parameters: {} });
    expect(status).toBe('converged');
    const known = new Map(estimates.map((estimate) => [estimate.name, estimate]));
    return (parameter) => known.get(parameter) as Estimate;
  } finally {
    device.close();
  }
}

/** The values of the fit that ships, which stored-fits.test.ts holds against a fresh one. */
async function stored(name: string): Promise<(id: string) => number> {
  const fit = await readFit(join(folder, `${name}.cot.json`));
  return (id) => fit?.estimates.find((estimate) => estimate.name === id)?.value ?? NaN;
}

/** Within `share` of the published value. */
function expectNear(found: number, published: number, share: number, what: string): void {
  expect(Math.abs(found / published - 1), `${what}: ${found} and ${published}`).toBeLessThan(share);
}

it('covers the fields in which people fit models, with at least fifteen', () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(15);
  const fields = new Set(catalogue.map(({ field }) => field));
  for (const field of ['pharmacology', 'hydrology', 'epidemiology', 'spectroscopy', 'physics', 'finance', 'ecology'])
    expect(fields, field).toContain(field);
});

describe('published fits', () => {
  it('populations: theophylline by nlme’s variance of clearance, the sleep study by lmer, seizures by glmer', async () => {
    const theophylline = await stored('theophylline-population');
    expectNear(theophylline('eta.sd.CL'), 0.167, 5e-3, 'variation of clearance');
    const sleep = await stored('sleep-study');
    expectNear(sleep('u.sd.b0'), 23.7806, 1e-5, 'intercepts');
    expectNear(sleep('u.sd.b1'), 5.71683, 1e-5, 'slopes');
    expectNear(sleep('sigma'), 25.5918, 1e-5, 'noise');
    // R's glmer with nAGQ = 7.
    const seizures = await stored('epileptic-seizures');
    expectNear(seizures('u.sd.b'), 0.502389, 1e-5, 'patients');
    expectNear(seizures('by_drug'), -0.93319, 1e-4, 'progabide');
  });

  it('the Nile: Durbin and Koopman (2001), section 2.10: variances 15099 and 1469.1', async () => {
    const of = await fitted('nile-level');
    expectNear(of('noise').value ** 2, 15099, 1e-3, 'noise');
    expectNear(of('drift').value ** 2, 1469.1, 1e-3, 'drift');
  });

  it('the DAX: the example of R’s tseries::garch, which takes the mean as 0', async () => {
    const withoutMean = (text: string) =>
      text.replace(
        '"id": "mean", "kind": "parameter", "initial": 0.05',
        '"id": "mean", "kind": "parameter", "fixed": true, "initial": 0',
      );
    const of = await fitted('dax-volatility', withoutMean);
    expect(of('mean').standardError).toBe(0);
    // There of returns, here of returns in per cent.
    expectNear(of('omega').value, 4.639e-6 * 1e4, 0.01, 'omega');
    expectNear(of('alpha').value, 0.06833, 0.01, 'alpha');
    expectNear(of('beta').value, 0.8891, 0.01, 'beta');
  });

  it('hares and lynxes: within the posterior of Carpenter’s Stan case study (2018)', async () => {
    const of = await fitted('hare-lynx');
    const published: [string, mean: number, sd: number][] = [
      ['growth', 0.55, 0.06],
      ['predation', 0.028, 0.004],
      ['death', 0.8, 0.09],
      ['gain', 0.024, 0.004],
      ['hares_1900', 33.96, 2.9],
      ['lynxes_1900', 5.95, 0.53],
    ];
    for (const [name, mean, sd] of published) expect(Math.abs(of(name).value - mean), name).toBeLessThan(0.5 * sd);
  });

  it('the lynx cycle: 9.6 years, as Elton and Nicholson (1942) have it', async () => {
    const of = await fitted('lynx-cycle');
    const rate = of('rate').value;
    // Times at which the lynxes are most, that is the hares in balance and falling, by Euler's symplectic method.
    const step = 1e-4;
    const peaks: number[] = [];
    let [hare, lynx] = [of('hares_1821').value, of('lynxes_1821').value];
    for (let k = 0; k * step < 60; k++) {
      const before = hare;
      hare += step * rate * (1 - Math.exp(lynx));
      lynx += step * rate * (Math.exp(hare) - 1);
      if (before > 0 && hare <= 0) peaks.push(k * step);
    }
    const period = (peaks.at(-1)! - peaks[0]!) / (peaks.length - 1);
    expect(peaks.length).toBeGreaterThan(4);
    expect(period).toBeCloseTo(9.6, 1);
  });

  it('Gauss3: NIST’s certified values and standard deviations', async () => {
    const of = await fitted('gauss3');
    const certified: [string, value: number, deviation: number][] = [
      ['start', 98.94036897, 0.53005192833],
      ['decay', 0.010945879335, 1.2554058911e-4],
      ['height1', 100.69553078, 0.81256587317],
      ['centre1', 111.63619459, 0.35317859757],
      ['width1', 23.300500029, 0.36584783023],
      ['height2', 73.705031418, 1.2091239082],
      ['centre2', 147.76164251, 0.40488183351],
      ['width2', 19.66822123, 0.37806634336],
    ];
    for (const [name, value, deviation] of certified) {
      expectNear(of(name).value, value, 1e-7, name);
      expectNear(of(name).standardError, deviation, 1e-5, `error of ${name}`);
    }
  });

  it('rain and runoff: the truth that generated them', async () => {
    const of = await fitted('rainfall-runoff');
    const truth = { kept: 1.5, share: 0.45, quick: 2.2, slow: 32, stored: 30, scatter: 0.08 };
    for (const [name, value] of Object.entries(truth))
      expect(Math.abs(of(name).value - value) / of(name).standardError, name).toBeLessThan(2.5);
  });
});
