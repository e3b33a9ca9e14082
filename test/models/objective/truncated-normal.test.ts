/** Draws between limits have the moments that SciPy 1.17 gives (`scipy.stats.truncnorm.stats`), be they far out. */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { drawLogNormalWithin, drawNormalWithin } from '../../../models/objective/families/truncated-normal.ts';

const count = 40_000;

const known = [
  [-1, 2, 0.22963717909132902, 0.7209455868590458],
  [0.5, Infinity, 1.1410777703680648, 0.5181509501640216],
  [8, Infinity, 8.12136811223618, 0.11968660511012702],
  [6, 6.01, 6.004949961507435, 0.0028864862435329674],
  [-Infinity, -9, -9.108523105002908, 0.10730699256972599],
  [-0.1, 0.1, 0, 0.05769654541246674],
  [-40, -39.5, -39.5252841062581, 0.02526797614279747],
  [-Infinity, Infinity, 0, 1],
] as const;

describe.each(known)('between %d and %d', (a, b, mean, deviation) => {
  const [shift, sigma] = [3, 2];

  it('of a normal', () => {
    const random = randomFrom(1);
    const draws = Array.from({ length: count }, () =>
      drawNormalWithin(random, shift + sigma * a, shift + sigma * b, shift, sigma),
    );
    for (const y of draws) if (!(shift + sigma * a <= y && y <= shift + sigma * b)) throw new Error(`${y} lies beyond`);
    const found = draws.reduce((sum, y) => sum + y, 0) / count;
    const spread = Math.sqrt(draws.reduce((sum, y) => sum + (y - found) ** 2, 0) / count);
    // Five Monte Carlo standard errors; that of a deviation is at most that of an exponential.
    expect(Math.abs(found - (shift + sigma * mean))).toBeLessThan((5 * sigma * deviation) / Math.sqrt(count));
    expect(Math.abs(spread / (sigma * deviation) - 1)).toBeLessThan(5 * Math.sqrt(2 / count));
  });

  it('of a log-normal', () => {
    const [low, high] = [Math.exp(a), Math.exp(b)];
    const random = randomFrom(2);
    const draws = Array.from({ length: count }, () => drawLogNormalWithin(random, low, high, 0, 1));
    for (const y of draws) if (!(low <= y && y <= high)) throw new Error(`${y} lies beyond`);
    const found = draws.reduce((sum, y) => sum + Math.log(y), 0) / count;
    expect(Math.abs(found - mean)).toBeLessThan((5 * deviation) / Math.sqrt(count));
  });
});

it('there is none where nothing lies between', () => {
  expect(drawNormalWithin(randomFrom(0), 2, 2, 0, 1)).toBeNaN();
  expect(drawNormalWithin(randomFrom(0), 2, 1, 0, 1)).toBeNaN();
  expect(drawLogNormalWithin(randomFrom(0), -3, 0, 0, 1)).toBeNaN();
});
