/**
 * Marginal likelihoods by the expected information: "focei" and "foce" against the objective values that NONMEM and
 * nlmixr2 give for the data of Wang (2007), one dose and two samples of ten subjects, and against Laplace's approximation
 * where the two are one; the exact gradient against central differences.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice, marginalQuestions } from '../../../engine/index.ts';
import { fitModel, problemOf } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const taken = (id: string, from: string): PlainBlock => ({ id, kind: 'gather', from, indices: 'subject' });

// prettier-ignore
const wang = [
  10.68, 3.6837, 10.402, 6.454, 9.8814, 5.8565, 9.3408, 5.6209, 10.082, 6.7583,
  9.8938, 6.5049, 9.8908, 6.9557, 10.234, 6.4488, 9.9882, 6.7112, 9.6736, 6.6402,
];
/** log 2π of all observations, which NONMEM leaves out. */
const LEFT_OUT = wang.length * Math.log(2 * Math.PI);
const subjects = (each: number): string[] => wang.map((_, i) => `s${Math.floor(i / each)}`);

function pharmacokinetics(marginal: unknown, sigma: string, more: readonly PlainBlock[] = []): PlainBlock {
  const columns = { subject: subjects(2), time: wang.map((_, i) => i % 2), y: wang };
  return documentOf(
    [
      ...[column('subject', 'category'), column('time'), column('y'), parameter('ke', 0.5), parameter('s', 0.1 ** 0.5)],
      ...[{ id: 'u', kind: 'random-effect', like: 'subject', sd: 0.2 }, taken('b', 'u')],
      ...[map('p', '10*exp(-ke*exp(b)*time)'), map('sigma', sigma), ...more],
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'p', sigma: 'sigma' },
    ],
    { tables: { t: { columns } }, objective: 'l', fit: { marginal } },
  );
}

async function questionsOf(document: PlainBlock) {
  const problem = await problemOf(demandModel(await load(document, undefined)), device, {});
  return marginalQuestions(problem, device);
}

async function atStart(document: PlainBlock): Promise<number> {
  const questions = await questionsOf(document);
  try {
    return await questions.value(questions.start);
  } finally {
    questions.release();
  }
}

describe('the data of Wang (2007)', () => {
  it.each([
    ['additive', 's + 0*p', -2.059, -2.059, 0.026],
    ['proportional', 's*p', 39.458, 39.207, 39.213],
    ['a power of the prediction', 's*sqrt(p)', 9.966, 9.331, 9.651],
    ['proportional to a function of it', 's*p/(p + 5)', 6.496, 6.275, 9.262],
    ['a function of it', 'p/(p + 5)', 3.238, 2.438, 3.311],
    ['additive and proportional', 'sqrt(s^2 + (s*p)^2)', 39.735, 39.499, 39.505],
    ['their sum', 's + s*p', 43.554, 43.394, 43.398],
    ['in proportion to p and a function of it', 'p*p/(p + 5)', 63.353, 63.063, 63.063],
    ['a root of that function', 's*sqrt(p/(p + 5))', 0.776, 0.58, 3.2],
    ['a root times that function', 'p/(p + 5)*sqrt(p)', 27.301, 26.854, 26.888],
    ['a power that varies', 's*p^(p/(p + 5))', 17.831, 16.617, 16.852],
    ['additive and proportional to a function of p', 'sqrt(s^2 + (s*p/(p + 5))^2)', -2.321, -2.454, -0.65],
    ['the sum with a root', 's + s*sqrt(p)', 16.231, 16.008, 16.093],
    ['two functions of it', 'sqrt((p/(p + 5))^2 + (3*p*p/(p + 5))^2)', 106.308, 106.079, 106.079],
  ])('noise that is %s', async (_, sigma, focei, foce, fo) => {
    // Theirs leaves log 2π of the twenty observations out, and is −2 log L.
    const theirs = async (marginal: string): Promise<number> =>
      2 * (await atStart(pharmacokinetics(marginal, sigma))) - LEFT_OUT;
    expect(await theirs('focei')).toBeCloseTo(focei, 2);
    expect(await theirs('foce')).toBeCloseTo(foce, 2);
    expect(await theirs('fo')).toBeCloseTo(fo, 3);
  });

  // By mpmath to 30 digits: h″ by its differences, the integral itself by its own quadrature.
  it.each([
    ['additive', 's + 0*p', -1.936123366, -1.989614261],
    ['proportional', 's*p', 39.22684658, 39.35480346],
    ['a power of the prediction', 's*sqrt(p)', 9.955439796, 9.991406394],
    ['proportional to a function of it', 's*p/(p + 5)', 6.583724421, 6.543670048],
    ['a function of it', 'p/(p + 5)', 3.270620107, 3.265551611],
    ['additive and proportional', 'sqrt(s^2 + (s*p)^2)', 39.51568929, 39.63544729],
  ])('by the exact Hessian, and by quadrature: %s', async (_, sigma, laplace, integral) => {
    const theirs = async (marginal: unknown): Promise<number> => 2 * (await atStart(pharmacokinetics(marginal, sigma)));
    expect(await theirs('laplace')).toBeCloseTo(laplace + LEFT_OUT, 6);
    expect(await theirs({ agq: 25 })).toBeCloseTo(integral + LEFT_OUT, 6);
  });

  it.each(['focei', 'foce', 'fo'])('is fitted by %s', async (marginal) => {
    const model = demandModel(await load(pharmacokinetics(marginal, 's*p'), undefined));
    const fit = await fitModel(model, device, { parameters: {} });
    expect(fit.status).toBe('converged');
  });
});

/** Where the link is the canonical one, what is expected of the curvature is what is observed. */
const counts = (
  marginal: string,
  family: PlainBlock = { family: 'poisson', mean: 'm' },
  mean = 'exp(a + b0 + b1*x)',
): PlainBlock => {
  const y = wang.map((value) => Math.round(value));
  return documentOf(
    [
      ...[column('subject', 'category'), column('x'), column('y', 'int'), parameter('a', 1), parameter('k', 0.3)],
      { id: 'u', kind: 'random-effect', like: 'subject', names: ['b0', 'b1'], covariance: 'full', sd: [0.5, 0.3] },
      ...[taken('b0', 'u.b0'), taken('b1', 'u.b1'), map('m', mean)],
      { id: 'l', kind: 'likelihood', observed: 'y', ...family },
    ],
    {
      tables: { t: { columns: { subject: subjects(4), x: wang.map((_, i) => (i % 4) - 1.5), y } } },
      objective: 'l',
      fit: { marginal },
    },
  );
};

const binomial = { family: 'binomial', probability: 'm', trials: 12 };

it.each([
  ['counts', { family: 'poisson', mean: 'm' }, 'exp(a + b0 + b1*x)'],
  ['shares', binomial, '1/(1 + exp(-(a + b0 + b1*x)))'],
] as const)('of %s it is Laplace’s approximation', async (_, family, mean) => {
  expect(await atStart(counts('focei', family, mean))).toBeCloseTo(await atStart(counts('laplace', family, mean)), 9);
});

it.each([
  ['proportional noise', pharmacokinetics('focei', 's*p')],
  ['proportional noise, held', pharmacokinetics('foce', 's*p')],
  ['proportional noise about effects of 0', pharmacokinetics('fo', 's*p')],
  ['counts by another link', counts('focei', { family: 'poisson', mean: 'm' }, '(a + 1 + b0 + b1*x)^2')],
  ['overdispersed counts', counts('focei', { family: 'negative-binomial', mean: 'm', dispersion: 'k' })],
  ['amounts', counts('focei', { family: 'gamma', mean: 'm', shape: 4 })],
  ['heavy tails', counts('foce', { family: 'student-t', mean: 'm', scale: 'k', degrees: 4 })],
])('has the gradient of central differences: %s', async (_, document) => {
  const questions = await questionsOf(document);
  try {
    for (const shift of [0, 0.3]) {
      const at = questions.start.map((u, j) => u + shift * Math.sin(j + 1));
      const { gradient } = await questions.slope(at);
      for (const j of at.keys()) {
        const h = 1e-4;
        const beside = (d: number) => questions.value(at.map((u, k) => (k === j ? u + d : u)));
        const [one, two] = [(await beside(h)) - (await beside(-h)), (await beside(2 * h)) - (await beside(-2 * h))];
        const difference = (8 * one - two) / (12 * h);
        expect(Math.abs(gradient[j]! - difference)).toBeLessThan(1e-6 * Math.max(1, Math.abs(difference)));
      }
    }
  } finally {
    questions.release();
  }
});

it.each([
  ['a dispersion that the effects move', counts('focei', { family: 'negative-binomial', mean: 'm', dispersion: 'm' })],
  ['what is censored', counts('focei', { family: 'normal', mean: 'm', sigma: 1, censored: { right: 20 } })],
])('%s is refused', async (_, document) => {
  await expect(questionsOf(document)).rejects.toThrow('the expected information of "l" is not known');
});
