/** Solutions that begin or come to rest where a rate bends, and there pass the threshold to and fro by their own errors. */
import { expect, it } from 'vitest';
import { c, evaluate, type PlainBlock } from '../../../support/documents.ts';

const grid = (count: number, step: number): number[] => Array.from({ length: count }, (_, i) => i * step);

async function solution(state: PlainBlock, times: readonly number[], of: string): Promise<number[]> {
  const block = { id: 'x', kind: 'ode', state, times: 't', from: 0 };
  return (await evaluate([c('t', times), block], `x.${of}`)) as number[];
}

it('what is counted above a steady state that is come to (BIOMD0000000279)', async () => {
  const state = {
    x: { initial: 1.06066, rate: '3*x^0.5*y^(-0.5) - 0.2*x' },
    y: { initial: 212.132, rate: '4*x - 0.02*y' },
    z: { initial: 100, rate: '0.0017*max(y - 300/sqrt(2), 0) - 0.24*if(x > 1.5/sqrt(2), x - 1.5/sqrt(2), 0)' },
  };
  const found = await solution(state, grid(21, 0.5), 'z');
  expect(found.at(-1)).toBeCloseTo(100, 6);
});

/** With b − x = z, to first order in it: z′ = −40z + 0.02u, u = 10⁻⁶t³/6. BIOMD0000000161 has two such pools. */
it('a pool at its level, which is drained more and more', async () => {
  const state = {
    x: { initial: 2857, rate: 'if(x < 2857, 40*2857*(exp((2857 - x)/2857) - 1), 0) - 0.02*u' },
    u: { initial: 0, rate: 'v' },
    v: { initial: 0, rate: 'w' },
    w: { initial: 0, rate: '1e-6' },
  };
  const found = await solution(state, grid(11, 0.1), 'x');
  const wanted = ((0.02e-6 / 6) * (1 - 3 / 40 + 6 / 40 ** 2 - 6 / 40 ** 3)) / 40;
  expect(Math.abs(2857 - found.at(-1)! - wanted)).toBeLessThan(1e-9);
});
