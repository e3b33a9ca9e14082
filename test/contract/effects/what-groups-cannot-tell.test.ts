/** What effects of groups cannot say of a population, or an approximation of them: said, and no figure in its place. */
import { describe, expect, it } from 'vitest';
import {
  column,
  cotangent,
  documentOf,
  fitJson,
  map,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

const bend = (i: number): number => Math.sin(12.9898 * (i + 1));
const threes = Array.from({ length: 30 }, (_, i) => `s${Math.floor(i / 3)}`);
const y = threes.map((_, i) => 2 + bend(40 + Math.floor(i / 3)) + 0.5 * bend(i));

/** y = a + b of its group + noise; `more` in the place of what is called the same. */
function model(columns: Readonly<Record<string, readonly unknown[]>>, more: readonly PlainBlock[] = []): PlainBlock {
  const blocks: readonly PlainBlock[] = [
    ...Object.keys(columns).map((id) => column(id, { type: id === 'y' || id === 'day' ? 'real' : 'category' })),
    ...[parameter('a', 1), parameter('sigma', 1, { scale: 'log' })],
    ...[
      { id: 'u', kind: 'random-effect', like: 'subject' },
      { id: 'b', kind: 'gather', from: 'u', indices: 'subject' },
    ],
    map('m', 'a + b'),
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
  ];
  const own = blocks.map((block) => more.find(({ id }) => id === block['id']) ?? block);
  const added = more.filter(({ id }) => !blocks.some((block) => block['id'] === id));
  return documentOf([...added, ...own], { tables: { T: { columns } }, objective: 'l' });
}

const binary = (successes: readonly number[], each: number, marginal: unknown): PlainBlock => ({
  ...documentOf(
    [
      ...[column('subject', { type: 'category' }), column('y', { type: 'int' }), parameter('a', 0)],
      ...[
        { id: 'u', kind: 'random-effect', like: 'subject' },
        { id: 'b', kind: 'gather', from: 'u', indices: 'subject' },
      ],
      map('p', '1/(1 + exp(-(a + b)))'),
      { id: 'l', kind: 'likelihood', family: 'binomial', observed: 'y', probability: 'p', trials: 1 },
    ],
    {
      tables: { T: { columns: { subject: successes.map((_, i) => `s${Math.floor(i / each)}`), y: successes } } },
      objective: 'l',
    },
  ),
  fit: { marginal },
});
const mixed = Array.from({ length: 60 }, (_, i) => Number((i * 7) % 3 === 0));

interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly warnings?: readonly string[];
  readonly parameters: Readonly<Record<string, { readonly value: number; readonly standardError: unknown }>>;
}

const warningsOf = async (document: PlainBlock): Promise<string> =>
  (await cotangent('check', written(document))).stderr;

describe('check warns of', () => {
  it('an effect that nothing takes', async () => {
    expect(await warningsOf(model({ subject: threes, y }))).toBe('');
    const one = await warningsOf(model({ subject: threes, y }, [map('m', 'a')]));
    expect(one).toContain('does not depend on the effect "u.b"');
    const names = { id: 'u', kind: 'random-effect', like: 'subject', names: ['b', 'c'] };
    const taken = { id: 'b', kind: 'gather', from: 'u.b', indices: 'subject' };
    expect(await warningsOf(model({ subject: threes, y }, [names, taken]))).toContain(
      'does not depend on the effect "u.c"',
    );
  });

  it('one group', async () => {
    expect(await warningsOf(model({ subject: threes.map(() => 's'), y }))).toContain('one group alone');
  });

  it('another category that takes the effects', async () => {
    const site = threes.map((_, i) => `q${i % 4}`);
    const by = (indices: string): PlainBlock => ({ id: 'b', kind: 'gather', from: 'u', indices });
    expect(await warningsOf(model({ subject: threes, site, y }, [by('site')]))).toContain('"site", which are others');
    // The same labels in the same order, of another column, are the same groups.
    expect(await warningsOf(model({ subject: threes, site: threes, y }, [by('site')]))).not.toContain('others');
  });
});

it('an effect that nothing takes is not told group by group', async () => {
  const names = { id: 'u', kind: 'random-effect', like: 'subject' };
  const { parameters } = await fitJson<Fit>([written(model({ subject: threes, y }, [names, map('m', 'a')]))]);
  expect(Object.keys(parameters)).not.toContain('u.b');
});

it('"fo" of counts and shares has no minimum, and is refused', async () => {
  expect(await refusal(binary(mixed, 2, 'fo'), {}, ['evaluate', '--output', 'objective'])).toContain(
    '"fo" is of noise about a mean',
  );
});

it('a quadrature has an end', async () => {
  expect(await refusal(binary(mixed, 2, { agq: 201 }), {}, ['evaluate', '--output', 'objective'])).toContain(
    '200 are the most',
  );
});

it('a quadrature whose points are too few for where it ends says so', async () => {
  // All of a group alike: the likelihood grows with the deviation without end, and a quadrature stops where its points do.
  const alike = Array.from({ length: 60 }, (_, i) => Math.floor(i / 2) % 2);
  const { warnings = [] } = await fitJson<Fit>([written(binary(alike, 2, { agq: 7 }))]);
  expect(warnings.join()).toContain('by 15 points for each effect than by 7: these are too few');
  const enough = await fitJson<Fit>([written(binary(mixed, 2, { agq: 7 }))]);
  expect(enough.status).toBe('converged');
  expect(enough.warnings).toBeUndefined();
});

it('noise that shrinks for ever is named', async () => {
  const same = threes.map((_, i) => bend(Math.floor(i / 3)));
  const { status, reason } = await fitJson<Fit>([written(model({ subject: threes, y: same }))], 3);
  expect(status).toBe('not-converged');
  expect(reason).toContain('"sigma" has shrunk to');
});

it('two deviations of one effect are not determined, and have no error', async () => {
  const two = [
    { id: 'u', kind: 'random-effect', like: 'subject', names: ['b', 'c'] },
    { id: 'b', kind: 'gather', from: 'u.b', indices: 'subject' },
    { id: 'c', kind: 'gather', from: 'u.c', indices: 'subject' },
    map('m', 'a + b + c'),
  ];
  const { status, parameters } = await fitJson<Fit>([written(model({ subject: threes, y }, two))]);
  expect(status).toBe('converged');
  expect([parameters['u.sd.b']?.standardError, parameters['u.sd.c']?.standardError]).toEqual(['Infinity', 'Infinity']);
  expect(parameters['sigma']?.standardError).toBeGreaterThan(0);
});

it('an intercept far from its data is correlated with the slope, and has an error all the same', async () => {
  const day = threes.map((_, i) => 40_000 + (i % 3));
  const far = [column('day'), parameter('k', 0), map('m', 'a + k*day + b')];
  const { parameters } = await fitJson<Fit>([written(model({ subject: threes, y, day }, far))]);
  const near = [column('day'), parameter('k', 0), map('m', 'a + k*(day - 40001) + b')];
  const centred = await fitJson<Fit>([written(model({ subject: threes, y, day }, near))]);
  const errorOf = (fit: Pick<Fit, 'parameters'>): number => Number(fit.parameters['k']?.standardError);
  expect(errorOf({ parameters }) / errorOf(centred)).toBeCloseTo(1, 3);
});

it('evaluate says that effects are 0', async () => {
  const path = written(model({ subject: threes, y }));
  expect((await cotangent('evaluate', path, '--output', 'm')).stderr).toContain('random effects are 0 here');
  expect((await cotangent('evaluate', path, '--output', 'a')).stderr).toBe('');
});
