import { expect, it } from 'vitest';
import { partSeed, randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { negativeBinomial as distribution, poisson } from '../../../models/objective/families/distributions.ts';
import { negativeBinomial } from '../../../models/objective/families/negative-binomial.ts';
import '../../support/seed.ts';

it('is Poisson without dispersion: its shares below a count', () => {
  for (const mean of [0.3, 4, 50])
    for (const y of [-1, 0, 1, 4, 60]) {
      expect(distribution.below(y, mean, 0)).toBe(poisson.below(y, mean));
      expect(distribution.below(y, mean, 1e-9)).toBeCloseTo(poisson.below(y, mean), 6);
    }
});

it('is Poisson without dispersion: what is drawn', () => {
  const random = randomFrom(partSeed(1, 5));
  const drawn = Array.from({ length: 20_000 }, () => negativeBinomial.draw!(random, 4, 0));
  const mean = drawn.reduce((sum, y) => sum + y, 0) / drawn.length;
  const variance = drawn.reduce((sum, y) => sum + (y - mean) ** 2, 0) / drawn.length;
  // Six standard errors: √(4/n), √((4 + 2·4²)/n).
  expect(Math.abs(mean - 4)).toBeLessThan(6 * Math.sqrt(4 / drawn.length));
  expect(Math.abs(variance - 4)).toBeLessThan(6 * Math.sqrt(36 / drawn.length));
});
