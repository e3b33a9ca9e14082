/** The test set of stiff and oscillating problems: four digits unless said, seven where 10⁻¹⁰ is asked for. */
import { describe, expect, it } from 'vitest';
import { constant, documentOf, json, parameter, written, type PlainBlock } from '../../../support/command-line.ts';
import { kepler, large, smooth, states, stiff, type Problem } from './test-set.ts';

/** Digits of the worst state. */
async function digits({ block, end, wanted, closed }: Problem, more: PlainBlock = {}): Promise<number> {
  const path = written(documentOf([constant('t', [0, end]), { id: 'x', kind: 'ode', times: 't', ...block, ...more }]));
  const names = Object.keys(block['state'] as PlainBlock).map((name) => `x.${name}`);
  const { values } = (await json('evaluate', path, '--output', names.join(','))) as {
    values: Record<string, number[]>;
  };
  const errors = wanted.map((value, i) => {
    const found = values[names[i]!]!.at(-1)!;
    return Math.abs(found - value) / (closed ? 1 : Math.abs(value));
  });
  return -Math.log10(Math.max(...errors));
}

const tight = { relative: 1e-10, absolute: 1e-13 };

describe('the test set', () => {
  it.each([...stiff, ...smooth, large].map((problem) => [problem.name, problem] as const))(
    '%s',
    { timeout: 60_000 },
    async (_, problem) => {
      const [usual, finer] = [await digits(problem), await digits(problem, { tolerance: tight })];
      expect(usual).toBeGreaterThan(4);
      expect(finer).toBeGreaterThan(7);
    },
  );
});

describe('a tolerance that is near rounding', () => {
  it.each(stiff.map((problem) => [problem.name, problem] as const))('of a stiff system: %s', async (_, problem) => {
    const more = { method: 'stiff', tolerance: { relative: 1e-10, absolute: 1e-16 } };
    expect(await digits(problem, more)).toBeGreaterThan(7);
  });

  it('of an orbit', async () => {
    expect(await digits(kepler, { tolerance: { relative: 1e-12, absolute: 1e-14 } })).toBeGreaterThan(8);
    expect(await digits(kepler, { tolerance: { relative: 1e-13, absolute: 1e-15 } })).toBeGreaterThan(8);
  });
});

describe('gradients', () => {
  // With v at r = 1/10 held, 1/a = 2/r − v²/k and n² = k/a³: dn/dk = 1/2 + 3/2·v² = 29 at k = 1. What arrives is late or
  // early by that, and elsewhere on the orbit by nothing else.
  it('of Kepler’s ellipse by its constant are right to four digits after ten revolutions', async () => {
    const rate = (x: string): string => `-k*${x}/(x^2 + y^2)^1.5`;
    const state = states({ x: [0.1, 'u'], y: [0, 'v'], u: [0, rate('x')], v: [Math.sqrt(19), rate('y')] });
    const late = 20 * Math.PI * 29;
    for (const [name, wanted] of [
      ['y', Math.sqrt(19) * late],
      ['u', -100 * late],
    ] as const) {
      const path = written(
        documentOf([
          parameter('k', 1),
          constant('t', [20 * Math.PI]),
          { id: 'o', kind: 'ode', times: 't', from: 0, state },
          { id: 'last', kind: 'reduce', operator: 'add', values: `o.${name}` },
        ]),
      );
      const { adjoints } = (await json('differentiate', path, '--of', 'last')) as { adjoints: { k: number } };
      expect(Math.abs(adjoints.k / wanted - 1), name).toBeLessThan(1e-4);
    }
  });
});
