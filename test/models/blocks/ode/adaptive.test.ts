/** Steps that the solver finds: problems of the field, against SciPy's Radau at 10⁻¹² where there is no closed form. */
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

const states = (entries: Readonly<Record<string, readonly [number | string, string]>>): PlainBlock =>
  Object.fromEntries(Object.entries(entries).map(([name, [initial, rate]]) => [name, { initial, rate }]));

/** States at the last time, in their order. */
async function lastOf(state: PlainBlock, times: readonly number[], more: PlainBlock = {}): Promise<number[]> {
  const path = written(documentOf([constant('t', times), { id: 'x', kind: 'ode', times: 't', state, ...more }]));
  const names = Object.keys(state).map((name) => `x.${name}`);
  const { values } = (await json('evaluate', path, '--output', names.join(','))) as {
    values: Record<string, number[]>;
  };
  return names.map((name) => values[name]?.at(-1) as number);
}

function expectWithin(found: readonly number[], wanted: readonly number[], relative: number, absolute = 0): void {
  wanted.forEach((value, i) =>
    expect(Math.abs((found[i] as number) - value), `state ${i}`).toBeLessThan(relative * Math.abs(value) + absolute),
  );
}

const vanDerPol = states({ x: [2, 'y'], y: [0, '1000*(1 - x^2)*y - x'] });
const robertson = states({
  a: [1, '-0.04*a + 1e4*b*c'],
  b: [0, '0.04*a - 1e4*b*c - 3e7*b^2'],
  c: [0, '3e7*b^2'],
});
const oregonator = states({
  a: [1, '77.27*(b + a*(1 - 8.375e-6*a - b))'],
  b: [2, '(c - (1 + a)*b)/77.27'],
  c: [3, '0.161*(a - c)'],
});
const hires = states({
  y1: [1, '-1.71*y1 + 0.43*y2 + 8.32*y3 + 0.0007'],
  y2: [0, '1.71*y1 - 8.75*y2'],
  y3: [0, '-10.03*y3 + 0.43*y4 + 0.035*y5'],
  y4: [0, '8.32*y2 + 1.71*y3 - 1.12*y4'],
  y5: [0, '-1.745*y5 + 0.43*y6 + 0.43*y7'],
  y6: [0, '-280*y6*y8 + 0.69*y4 + 1.71*y5 - 0.43*y6 + 0.69*y7'],
  y7: [0, '280*y6*y8 - 1.81*y7'],
  y8: [0.0057, '-280*y6*y8 + 1.81*y7'],
});

/** Name, states, last time, what they are there. */
const stiff: [string, PlainBlock, number, readonly number[]][] = [
  ['van der Pol, μ = 1000', vanDerPol, 2000, [1.7061677321705044, -0.0008928097010247748]],
  ['Robertson', robertson, 1e11, [2.0833401315754382e-8, 8.333360697831302e-14, 0.9999999791665175]],
  ['OREGO', oregonator, 360, [1.0008148703185227, 1228.1785215499078, 132.0554942846618]],
  [
    'HIRES',
    hires,
    321.8122,
    [
      0.000737131257332532, 0.00014424857263161162, 5.8887297409669355e-5, 0.001175651343283084, 0.0023863561988303125,
      0.006238968252739652, 0.0028499983951850326, 0.0028500016048149694,
    ],
  ],
];

describe('stiff systems', () => {
  it.each(stiff)('%s to four digits unless said', async (_, state, end, wanted) => {
    expectWithin(await lastOf(state, [0, end]), wanted, 1e-4);
  });

  it.each(stiff)('%s to seven digits where 10⁻¹⁰ is asked for', async (_, state, end, wanted) => {
    const tolerance = { relative: 1e-10, absolute: 1e-16 };
    expectWithin(await lastOf(state, [0, end], { method: 'stiff', tolerance }), wanted, 1e-7);
  });
});

describe('orbits', () => {
  const eccentricity = 0.9;
  const fast = Math.sqrt((1 + eccentricity) / (1 - eccentricity));
  const kepler = states({
    x: [1 - eccentricity, 'u'],
    y: [0, 'v'],
    u: [0, '-x/(x^2 + y^2)^1.5'],
    v: [fast, '-y/(x^2 + y^2)^1.5'],
  });

  it('Kepler’s ellipse is closed after ten revolutions', async () => {
    expectWithin(await lastOf(kepler, [0, 20 * Math.PI]), [1 - eccentricity, 0, 0, fast], 0, 4e-4);
    const tight = await lastOf(kepler, [0, 20 * Math.PI], { tolerance: { relative: 1e-12, absolute: 1e-14 } });
    expectWithin(tight, [1 - eccentricity, 0, 0, fast], 0, 1e-6);
  });
});

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
