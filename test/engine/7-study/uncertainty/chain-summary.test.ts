import { expect, it } from 'vitest';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { lookedAt, summaryOf } from '../../../../engine/7-study/uncertainty/chain-summary.ts';
import { unconstrained } from '../../../../engine/7-study/uncertainty/unconstrained.ts';

const random = randomFrom(3);
function chainsOf(count: number, elements: number, draws: number) {
  return Array.from({ length: count }, () => ({
    draws: Array.from({ length: draws }, () => Float64Array.from({ length: elements }, () => random.normal())),
    divergent: Array.from({ length: draws }, (_, k) => k % 7 === 0),
  }));
}
const named = (elements: number) => ({ names: Array.from({ length: elements }, (_, j) => `p${j}`) });
const asTheyAre = (elements: number) => Array.from({ length: elements }, () => unconstrained(-Infinity, Infinity));

it('is given up between any two elements where it is stopped', () => {
  const chains = chainsOf(2, 30, 20);
  for (let at = 1; at <= 60; at++) {
    let heeded = 0;
    const stopped = new Error('stopped');
    const heed = (): void => {
      if (++heeded === at) throw stopped;
    };
    expect(() => summaryOf(named(30), asTheyAre(30), chains, 0.95, [], heed)).toThrow(stopped);
  }
});

it.each([
  [4, 2, 10_000],
  [4, 2, 2501],
  [4, 20, 1000],
  [3, 7, 5000],
])('of %d chains of %d elements and %d draws looks at evenly many, to the last', (count, elements, draws) => {
  const chains = chainsOf(count, elements, draws);
  const kept = lookedAt(chains, elements);
  const length = kept[0]?.draws.length ?? 0;
  expect(count * elements * length).toBeLessThanOrEqual(10_000);
  expect(count * elements * length).toBeGreaterThan(4_500);
  kept.forEach(({ draws: own, divergent }, c) => {
    const places = own.map((draw) => (chains[c]!.draws as Float64Array[]).indexOf(draw));
    const every = places[0]! + 1;
    expect(places).toEqual(own.map((_, k) => every * (k + 1) - 1));
    expect(draws - 1 - places.at(-1)!).toBeLessThan(every);
    expect(divergent).toEqual(places.map((place) => chains[c]!.divergent[place]));
  });
});

it('of few draws looks at all, and of chains that have made none at nothing', () => {
  const chains = chainsOf(4, 2, 100);
  expect(lookedAt(chains, 2)).toEqual(chains);
  expect(lookedAt(chainsOf(4, 2, 0), 2)[0]).toEqual({ draws: [], divergent: [] });
});

it.each([0, 1, 2])('of %d draws of each chain knows nothing, and calls nothing determined or 0', (draws) => {
  const { intervals, correlation } = summaryOf(
    named(2),
    asTheyAre(2),
    chainsOf(4, 2, draws).map(({ divergent, draws: own }) => ({
      divergent,
      // Chains that have all begun at the fit.
      draws: own.map(() => Float64Array.of(238.9, 5.5e-4)),
    })),
    0.95,
    [],
    () => undefined,
  );
  for (const { verdict } of intervals)
    expect(verdict).toEqual({ status: 'none', reason: 'not known: no chain has made enough draws' });
  if (draws > 0) return;
  for (const { figures } of intervals) expect(figures['standardDeviation']).toBeNaN();
  expect(correlation[1]?.[0]).toBeNaN();
});
