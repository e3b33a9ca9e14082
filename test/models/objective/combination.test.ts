/** What several blocks of an objective mean together, and what is said of sums that mean less than they look. */
import { describe, expect, it } from 'vitest';
import { combinationOf, type ObjectiveTerm } from '../../../models/objective/combination.ts';
import { load, type PlainBlock } from '../../support/documents.ts';

const term = (block: string, more: Partial<ObjectiveTerm> = {}): ObjectiveTerm => ({
  block,
  kind: 'least-squares',
  noise: 'known',
  robust: false,
  ...more,
});
const known = term('a');
const estimated = term('b', { noise: 'estimated' });
const likelihood = term('l', { kind: 'likelihood' });
const scalar = term('s', { kind: 'scalar' });

describe('terms of an objective', () => {
  it.each<readonly [string, readonly ObjectiveTerm[], boolean, boolean, boolean]>([
    ['squares with sigma', [known, { ...known, block: 'a2' }], false, true, true],
    ['squares without', [estimated, { ...estimated, block: 'b2' }], false, true, true],
    ['squares with and without', [known, estimated], true, true, false],
    ['likelihoods', [likelihood, { ...likelihood, block: 'l2' }], false, true, true],
    ['squares with sigma and a likelihood', [known, likelihood], true, true, true],
    ['squares without and a likelihood', [estimated, likelihood], true, true, false],
    ['a scalar alone', [scalar], false, true, true],
    ['a likelihood and a scalar', [likelihood, scalar], false, true, true],
    ['squares and a scalar', [known, scalar], false, false, false],
    ['a robust loss', [{ ...known, robust: true }], false, true, false],
  ])('%s', (_, terms, joint, density, comparable) => {
    expect(combinationOf(terms)).toMatchObject({ joint, density, comparable });
  });

  it('are warned of where they mean less than they look', () => {
    const said = (...terms: ObjectiveTerm[]) => combinationOf(terms).warnings.join();
    expect(said(known, scalar)).toMatch(/adds "s" to squares.*no standard errors/);
    expect(said(known, estimated)).toMatch(/"a" has sigma and "b" has none.*joint likelihood/);
    expect(said({ ...estimated, unit: 'mg' }, term('c', { noise: 'estimated', unit: 'K' }))).toMatch(
      /"b", "c" share one unknown noise.*"mg" and "K"/,
    );
    expect(said({ ...estimated, unit: 'mg' }, term('c', { noise: 'estimated', unit: 'mg' }))).toBe('');
    expect(said(known, likelihood)).toBe('');
  });
});

it('is said when a document is checked', async () => {
  const blocks: PlainBlock[] = [
    { id: 'p', kind: 'parameter', initial: 1 },
    { id: 'y', kind: 'constant', value: [1, 2], unit: 's' },
    { id: 'z', kind: 'constant', value: [1, 2], unit: 'm' },
    { id: 'a', kind: 'least-squares', prediction: 'p', observed: 'y' },
    { id: 'b', kind: 'least-squares', prediction: 'p', observed: 'z' },
    { id: 'c', kind: 'least-squares', prediction: 'p', observed: 'z', sigma: 1 },
    { id: 'penalty', kind: 'map', formula: 'p^2' },
  ];
  const said = async (...objective: string[]) =>
    (await load(blocks, { objective })).problems.map(({ severity, message }) => `${severity}: ${message}`).join();
  expect(await said('a', 'b')).toMatch(/^warning: "a", "b" share one unknown noise/);
  expect(await said('a', 'c')).toMatch(/^warning: "c" has sigma and "a" has none/);
  expect(await said('a', 'penalty')).toMatch(/^warning: the objective adds "penalty" to squares/);
  // Nothing of how terms go together, and that two are left out.
  const left = (id: string): string =>
    `warning: block "${id}": the objective does not name it, so that a fit passes it over`;
  expect(await said('b')).toBe(`${left('a')},${left('c')}`);
});
