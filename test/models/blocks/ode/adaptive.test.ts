/** Steps that the solver finds: where they end, how many they are, what is refused. How exact they are: test-set.test.ts. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  json,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';
import { states } from './test-set.ts';

function expectWithin(found: readonly number[], wanted: readonly number[], relative: number, absolute = 0): void {
  wanted.forEach((value, i) =>
    expect(Math.abs(found[i]! - value), `state ${i}`).toBeLessThan(relative * Math.abs(value) + absolute),
  );
}

describe('the steps', () => {
  it('are those that a knot asks for: at a dose, at a bend, at times that fall together', async () => {
    // x' = −x + u, u = 1 up to 1 and 0 after; a dose of 2 at 0.5.
    const blocks = [
      constant('t', [0, 0.5, 0.5, 1, 3]),
      constant('ut', [0, 1]),
      constant('uv', [1, 0]),
      {
        id: 'x',
        kind: 'ode',
        times: 't',
        state: states({ x: [0, 'u - x'] }),
        inputs: { u: { times: 'ut', values: 'uv' } },
        events: [{ times: 0.5, state: 'x', add: 2 }],
      },
    ];
    const { values } = (await json('evaluate', written(documentOf(blocks)), '--output', 'x')) as {
      values: { x: number[] };
    };
    const half = 1 - Math.exp(-0.5) + 2;
    const one = 1 + (half - 1) * Math.exp(-0.5);
    expectWithin(values.x, [0, half, half, one, one * Math.exp(-2)], 1e-8, 1e-12);
  });

  it('are as many as the parameters at hand need', async () => {
    const blocks = [
      constant('t', [0, 1, 2]),
      parameter('k', 1),
      { id: 'x', kind: 'ode', times: 't', state: states({ x: [1, 'cos(k*time)*k'] }), method: 'explicit' },
    ];
    const path = written(documentOf(blocks));
    const { values } = (await json('evaluate', path, '--output', 'x', '--set', 'k=1e3')) as { values: { x: number[] } };
    expectWithin(values.x, [1, 1 + Math.sin(1e3), 1 + Math.sin(2e3)], 0, 1e-5);
  });

  it('are those of the method for stiff systems alone where there are hundreds of states', async () => {
    // xᵢ follows yᵢ within 10⁻⁵: explicit steps would be some 40,000.
    const pairs = Array.from({ length: 140 }, (_, i) => [
      [`y${i}`, [1 + i, `-y${i}`]] as const,
      [`x${i}`, [0, `1e5*(y${i} - x${i})`]] as const,
    ]);
    const ode = { id: 'm', kind: 'ode', times: 't', from: 0, state: states(Object.fromEntries(pairs.flat())) };
    const path = written(documentOf([constant('t', [1]), ode]));
    const { values } = (await json('evaluate', path, '--output', 'm.x0,m.x139')) as {
      values: Record<string, number[]>;
    };
    const follows = Math.exp(-1) / (1 - 1e-5);
    expectWithin([values['m.x0']![0]!, values['m.x139']![0]!], [follows, 140 * follows], 1e-5);
  });

  it('leave a solution that has come to nothing', async () => {
    const blocks = [
      constant('t', [100]),
      { id: 'x', kind: 'ode', times: 't', from: 0, state: states({ x: [1, '-x'], y: [0, '3*x - y'] }) },
    ];
    const { values } = (await json('evaluate', written(documentOf(blocks)), '--output', 'x.y')) as {
      values: { 'x.y': number[] };
    };
    expectWithin(values['x.y'], [0], 0, 1e-12);
  });

  it('are fixed or found, not both, and a tolerance is a small number', async () => {
    const ode = (more: PlainBlock): PlainBlock =>
      documentOf([
        constant('t', [0, 1]),
        { id: 'x', kind: 'ode', times: 't', state: states({ x: [1, '-x'] }), ...more },
      ]);
    expect(await refusal(ode({ method: 'stiff', substeps: 4 }))).toMatch(/block "x".*"substeps"/);
    expect(await refusal(ode({ substeps: 4, tolerance: { relative: 1e-6 } }))).toMatch(/block "x".*"tolerance"/);
    expect(await refusal(ode({ tolerance: { relative: 0 } }))).toMatch(/block "x".*"relative"/);
    expect(await refusal(ode({ tolerance: { absolute: -1 } }))).toMatch(/block "x".*"absolute"/);
    expect(await refusal(ode({ method: 'euler' }))).toMatch(/block "x".*method/);
  });
});
