/** One vocabulary for what is known of parameters, in window, report and command line. */
import { describe, expect, it } from 'vitest';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { UncertaintyReport } from '../../../src-main/contract/studies.ts';
import {
  verdictParts,
  bestOfQuantity,
  bestVerdicts,
  byAttention,
  determinedSentence,
  misfitSentence,
  verdictText,
  verdictWord,
  type Known,
  type Verdict,
} from '../../../src-main/contract/verdicts.ts';

const good: Verdict = { status: 'determined', reason: 'well determined, to ±2.4 %' };
const weak: Verdict = { status: 'weak', reason: 'weakly determined, between -1 and 3' };
const known = (name: string, verdict: Verdict, more: Partial<Known> = {}): Known => ({
  name,
  fixed: false,
  verdict,
  ...more,
});

it.each([
  ['not determined', 'not determined: moves with b'],
  ['not determined', 'not determined: nothing is excluded above, and its end below is not known'],
  ['not known', 'not known: the fit was stopped by the user'],
])('%s is the word for “%s”', (word, reason) => {
  expect(verdictWord({ status: 'none', reason })).toBe(word);
});

describe('the sentence on all parameters', () => {
  it.each<readonly [string, readonly Known[]]>([
    ['No parameter is free.', [known('a', good, { fixed: true })]],
    ['The parameter is determined.', [known('a', good)]],
    ['Both parameters are determined.', [known('a', good), known('b', good)]],
    ['All 3 parameters are determined.', [known('a', good), known('b', good), known('c', good)]],
    ['1 of 2 parameters are determined; look at b.', [known('a', good), known('b', weak)]],
    ['0 of 4 parameters are determined; look at 4 of them.', ['a', 'b', 'c', 'd'].map((name) => known(name, weak))],
    [
      '1 of 2 parameters are determined (profile likelihood); look at b.',
      [known('a', good), known('b', weak, { by: 'profile' })],
    ],
  ])('%s', (sentence, all) => {
    expect(determinedSentence(all)).toBe(sentence);
  });

  it('is told in the order of attention', () => {
    expect(byAttention([known('a', good), known('b', weak), known('c', good)]).map(({ name }) => name)).toEqual([
      'b',
      'a',
      'c',
    ]);
  });
});

describe('a verdict in two parts', () => {
  const partsOf = (reason: string, by: Known['by'] = undefined) =>
    verdictParts({ verdict: { status: 'weak', reason }, by });

  it('has its finding first, whole, and after it what is to be said of that', () => {
    expect(partsOf('weakly determined, between 0.1 and 2; symmetric by its making: take its profile')).toEqual({
      headline: 'weakly determined, between 0.1 and 2',
      detail: 'symmetric by its making: take its profile',
    });
    expect(partsOf('not determined: moves with b').detail).toBe('moves with b');
    expect(partsOf('determined, to ±3 %')).toEqual({ headline: 'determined, to ±3 %', detail: '' });
  });

  it('says nothing else than the one sentence', () => {
    for (const reason of ['determined, to ±3 %', 'not determined: no value is excluded; on either side']) {
      const known = { verdict: { status: 'weak', reason }, by: 'profile' } as const;
      const { headline, detail } = verdictParts(known);
      expect(verdictText(known).replace(/[;:] /, '|')).toBe(detail === '' ? headline : `${headline}|${detail}`);
    }
  });
});

describe('the reduced χ² of known errors', () => {
  // Quantiles of χ² at 0.5 % and 99.5 %, by R's qchisq.
  it.each([
    [5, 0.411742, 16.7496],
    [25, 10.51965, 46.92789],
    [1000, 888.5635, 1118.948],
  ])('is doubted where noise hardly ever has it: of %d degrees of freedom', (degreesOfFreedom, low, high) => {
    const said = (chiSquared: number) =>
      misfitSentence({ reducedChiSquared: chiSquared / degreesOfFreedom, degreesOfFreedom });
    expect(said(high * 1.03)).toMatch(/^Residuals are larger than the errors that are given: an observation/);
    expect(said(low * 0.7)).toMatch(/^Residuals are smaller than the errors that are given/);
    for (const usual of [low * 1.2, degreesOfFreedom, high * 0.97]) expect(said(usual)).toBeUndefined();
  });
});

describe('a better method', () => {
  const fit = { estimates: [known('a', good), known('k', good, { fixed: true })] } as unknown as FitReport;
  const ends = {
    ...{ covariance: { lower: 0, upper: 2 }, bootstrap: { lower: 0.1, upper: 2.2 } },
    ...{ profile: { lower: -1, upper: 3 }, hmc: { lower: -1.1, upper: 3.2 } },
  };
  const study = (method: UncertaintyReport['method'], verdict: Verdict, more: Partial<UncertaintyReport> = {}) =>
    ({
      kind: 'uncertainty',
      method,
      level: 0.95,
      cancelled: false,
      fit: { status: 'converged', reason: '', objective: 0 },
      parameters: [known('a', verdict), known('k', verdict)].map((row) => ({ ...row, ...ends[method] })),
      diagnostics: method === 'hmc' ? { largestRHat: 1.002 } : {},
      ...more,
    }) as unknown as UncertaintyReport;

  it('takes the place of a weaker one with its own limits and says so, in whatever order they ran', () => {
    const studies = [study('profile', weak), study('covariance', good), study('bootstrap', good)];
    for (const ran of [studies, studies.toReversed()]) {
      const [a, k] = bestVerdicts(fit, ran);
      expect(a).toEqual(known('a', weak, { by: 'profile', lower95: -1, upper95: 3 }));
      expect(verdictText(a!)).toBe('weakly determined, between -1 and 3 (profile likelihood)');
      expect(k).toEqual(known('k', good, { fixed: true }));
    }
    expect(bestVerdicts(fit, [...studies, study('hmc', good)])[0]?.by).toBe('hmc');
  });

  it('has no say of a parameter that is another in a minimum as low', () => {
    const none: Verdict = { status: 'none', reason: 'not determined: 2 minima are as low as each other' };
    const tied = { estimates: [known('a', none), known('k', good)].map((row) => ({ ...row, tied: true })) };
    expect(bestVerdicts(tied as unknown as FitReport, [study('profile', good)])[0]?.verdict).toBe(none);
  });

  it('tells of quantities too', () => {
    const quantities = [
      { name: 'q', block: 'q', verdict: weak, lower: -1, upper: 3 },
    ] as unknown as UncertaintyReport['quantities'];
    const studies = [study('covariance', good), study('profile', good, { quantities })];
    expect(bestOfQuantity('q', studies)).toEqual({ verdict: weak, by: 'profile', lower: -1, upper: 3 });
    expect(bestOfQuantity('r', studies)).toBeUndefined();
  });

  it('has no say where its chains do not agree, or nobody knows whether they do', () => {
    const beside = [study('profile', good), study('hmc', weak, { diagnostics: { largestRHat: 2 } })];
    expect(bestVerdicts(fit, beside)[0]).toEqual(known('a', good, { by: 'profile', lower95: -1, upper95: 3 }));
    expect(bestVerdicts(fit, [study('hmc', weak, { diagnostics: {} })])[0]).toEqual(known('a', good));
  });

  it('has no say where it was stopped, its fit failed, or its scale is another', () => {
    const none = [
      study('hmc', weak, { cancelled: true }),
      study('hmc', weak, { fit: { status: 'failed', reason: '', objective: 0 } }),
      study('hmc', weak, { level: 0.99 }),
    ];
    expect(bestVerdicts(fit, none)[0]).toEqual(known('a', good));
    expect(verdictText(known('a', good))).toBe(good.reason);
  });
});
