/** Reactions of ode blocks: what they add to their species, and what is wrong with one. */
import { describe, expect, it } from 'vitest';
import { parseReaction } from '../../../../models/notation/reaction.ts';
import {
  constant,
  documentOf,
  json,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';
import { evaluate } from '../../../support/documents.ts';

const species = ['A', 'B', 'C'];

describe('a reaction', () => {
  it.each([
    ['A + 2 B -> C', { A: -1, B: -2, C: 1 }],
    ['A -> 2 A', { A: 1 }],
    ['2*A<->0.5 B', { A: -2, B: 0.5 }],
    ['-> A', { A: 1 }],
    ['A + A -> 0', { A: -2 }],
    ['A + B -> B + C', { A: -1, C: 1 }],
  ])('%s', (text, wanted) => {
    expect(Object.fromEntries(parseReaction(text, species) as Map<string, number>)).toEqual(wanted);
  });

  it.each(['A B', 'A -> B -> C', 'A + -> B', 'A + 2 -> B', 'A -> D', '-2 A -> B'])('%s is none', (text) => {
    expect(parseReaction(text, species)).toHaveProperty('message');
  });
});

describe('an ode block with reactions', () => {
  const t = constant('t', [0, 0.5, 2]);
  const parameters = [parameter('k1', 0.7), parameter('k2', 0.2), parameter('feed', 0.1)];
  const byReactions: PlainBlock = {
    id: 'x',
    kind: 'ode',
    times: 't',
    state: { A: { initial: 2, rate: 'feed' }, B: { initial: 1 }, C: { initial: 0 } },
    reactions: [
      { reaction: 'A + 2 B -> C', rate: 'k1*A*B^2' },
      { reaction: 'C <-> A', rate: 'k2*C' },
    ],
  };
  const byRates: PlainBlock = {
    ...{ id: 'x', kind: 'ode', times: 't' },
    state: {
      A: { initial: 2, rate: 'feed - k1*A*B^2 + k2*C' },
      B: { initial: 1, rate: '-2*(k1*A*B^2)' },
      C: { initial: 0, rate: 'k1*A*B^2 - k2*C' },
    },
  };

  it('is the same as its rates written out', async () => {
    for (const output of ['x.A', 'x.B', 'x.C']) {
      const found = (await evaluate([t, ...parameters, byReactions], output)) as number[];
      const wanted = (await evaluate([t, ...parameters, byRates], output)) as number[];
      found.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 9));
    }
  });

  it('has the same derivatives', async () => {
    const adjoints = async (ode: PlainBlock): Promise<Record<string, number>> => {
      const path = written(documentOf([t, ...parameters, ode]));
      const found = await json('differentiate', path, '--of', 'x.C', '--cotangent', '[0, 1, -2]');
      return (found as { adjoints: Record<string, number> }).adjoints;
    };
    const [found, wanted] = [await adjoints(byReactions), await adjoints(byRates)];
    for (const id of ['k1', 'k2', 'feed']) expect(found[id]).toBeCloseTo(wanted[id]!, 7);
  });

  it('says which reaction is wrong, and which state stands still', async () => {
    const of = (more: PlainBlock): Promise<string> =>
      refusal(documentOf([t, ...parameters, { ...byReactions, ...more }]));
    expect(await of({ reactions: [{ reaction: 'A -> D', rate: 'k1' }] })).toMatch(/"x".*reaction 0.*"D"/);
    expect(await of({ reactions: [{ reaction: 'A + B -> C', rate: 'k1*' }] })).toMatch(/"x".*reactions\.0/);
    expect(await of({ reactions: [{ reaction: 'A -> B', rate: 'k1' }] })).toMatch(/"x".*"C" has no "rate"/);
    expect(await of({ reactions: 'A -> B' })).toMatch(/"x".*reactions/);
  });
});
