/** Fits of differential equations against fits of their closed solutions, and against published ones. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cotangent, fitJson, json, parameter, written, type PlainBlock } from '../../../support/command-line.ts';

interface Fit {
  status: string;
  objective: number;
  parameters: Record<string, { value: number; standardError: number }>;
  odeError?: Record<string, number>;
}

/** One subject of the theophylline table, 11 rows; the dose is swallowed at the first. */
const rows = readFileSync(new URL('../../../../models/catalogue/theoph.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.replaceAll('"', '').split(','))
  .filter(([subject]) => subject === '1');
const tables = {
  obs: { columns: { time: rows.map((row) => Number(row[3])), conc: rows.map((row) => Number(row[4])) } },
};
const dose = Number(rows[0]?.[2]);
const shared: PlainBlock[] = [
  { id: 'time', kind: 'column', table: 'obs', column: 'time' },
  { id: 'conc', kind: 'column', table: 'obs', column: 'conc' },
  parameter('ka', 1.5, { scale: 'log' }),
  parameter('ke', 0.08, { scale: 'log' }),
  parameter('V', 0.5, { scale: 'log' }),
  { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'conc' },
];
const closed = {
  id: 'curve',
  kind: 'map',
  formula: `${dose} * ka / (V * (ka - ke)) * (exp(-ke*time) - exp(-ka*time))`,
};
const solved = (method: string, substeps: number): PlainBlock[] => [
  {
    id: 'body',
    kind: 'ode',
    times: 'time',
    method,
    substeps,
    state: { gut: { initial: 0, rate: '-ka * gut' }, blood: { initial: 0, rate: 'ka * gut - ke * blood' } },
    events: [{ times: 0, state: 'gut', add: dose }],
  },
  { id: 'curve', kind: 'map', formula: 'amount / V', inputs: { amount: 'body.blood' } },
];

function fit(blocks: readonly PlainBlock[]): Promise<Fit> {
  return fitJson<Fit>([written({ format: 'cotangent/1', tables, blocks, objective: 'loss' })]);
}

it.each([
  ['rk4', 16],
  ['rosenbrock', 64],
])('theophylline by compartments with %s is the closed curve', async (method, substeps) => {
  const [wanted, found] = [await fit([...shared, closed]), await fit([...shared, ...solved(method, substeps)])];
  expect(rows).toHaveLength(11);
  expect([wanted.status, found.status]).toEqual(['converged', 'converged']);
  for (const [name, { value, standardError }] of Object.entries(wanted.parameters)) {
    expect(Math.abs(found.parameters[name]!.value / value - 1)).toBeLessThan(1e-3);
    expect(Math.abs(found.parameters[name]!.standardError / standardError - 1)).toBeLessThan(1e-2);
  }
  expect(wanted.odeError).toBeUndefined();
  expect(found.odeError!['body']).toBeGreaterThan(0);
  expect(found.odeError!['body']).toBeLessThan(1e-2);
});

/**
 * R, nlme: nlsList(SSfol, Theoph), the logarithms of elimination, absorption and clearance by subject (Pinheiro & Bates
 * 2000, section 8.1.3); `?SSfol` prints subject 1 with standard errors .1709, .1728, .1273.
 */
const nlsList: Readonly<Record<string, readonly [lKe: number, lKa: number, lCl: number]>> = {
  1: [-2.919614, 0.575161, -3.915857],
  2: [-2.286108, 0.664057, -3.106316],
  3: [-2.508073, 0.897542, -3.229962],
  4: [-2.436494, 0.158264, -3.286101],
  5: [-2.425484, 0.386285, -3.132601],
  6: [-2.307332, 0.151623, -2.973242],
  7: [-2.28037, -0.386051, -2.964335],
  8: [-2.386437, 0.318834, -3.069115],
  9: [-2.446088, 2.182188, -3.420824],
  10: [-2.60415, -0.363078, -3.428271],
  11: [-2.32153, 1.347824, -2.860407],
  12: [-2.248325, -0.182844, -3.170158],
};

describe('theophylline of all subjects by compartments is R’s nlsList(SSfol)', () => {
  // As many series as subjects, each with its own times; all swallow their dose at 0.
  const all = readFileSync(new URL('../../../../models/catalogue/theoph.csv', import.meta.url), 'utf8');
  const blocks: PlainBlock[] = [
    ...['Dose', 'Time', 'conc'].map((column) => ({ id: column, kind: 'column', table: 'theoph', column })),
    ...[
      ['doses', 'Dose'],
      ['times', 'Time'],
      ['seen', 'conc'],
    ].flatMap(([id, values]): PlainBlock[] => [
      { id: `${id}_rows`, kind: 'reshape', values, shape: [12, 11] },
      { id, kind: 'transpose', values: `${id}_rows` },
    ]),
    { id: 'first', kind: 'slice', values: 'doses', stop: 1 },
    { id: 'dose', kind: 'reshape', values: 'first', shape: [12] },
    parameter('lKe', new Array<number>(12).fill(-2.5)),
    parameter('lKa', new Array<number>(12).fill(0.5)),
    parameter('lCl', new Array<number>(12).fill(-3)),
    { id: 'ka', kind: 'map', formula: 'exp(lKa)' },
    { id: 'ke', kind: 'map', formula: 'exp(lKe)' },
    { id: 'V', kind: 'map', formula: 'exp(lCl - lKe)' },
    {
      id: 'body',
      kind: 'ode',
      times: 'times',
      substeps: 24,
      state: {
        gut: { initial: 0, rate: '-ka * gut' },
        blood: { initial: 0, rate: 'ka * gut - ke * blood' },
      },
      events: [{ times: 0, state: 'gut', add: 'dose' }],
    },
    { id: 'curve', kind: 'map', formula: 'amount / V', inputs: { amount: 'body.blood' } },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'seen' },
  ];
  it('to four digits', async () => {
    const document = { format: 'cotangent/1', tables: { theoph: { file: 'theoph.csv' } }, blocks, objective: 'loss' };
    const found = await fitJson<{ status: string; parameters: Record<string, { value: number[] }> }>([
      written(document, { 'theoph.csv': all }),
    ]);
    expect(found.status).toBe('converged');
    for (const [subject, published] of Object.entries(nlsList))
      published.forEach((value, j) => {
        const estimate = found.parameters[['lKe', 'lKa', 'lCl'][j]!]!.value[Number(subject) - 1]!;
        expect(Math.abs(estimate - value), `${subject}: ${estimate} and ${value}`).toBeLessThan(3e-4);
      });
  });
});

it('influenza in a school is what Murray (Mathematical Biology, section 10.2) fitted: r = 2.18·10⁻³, ρ = 202', async () => {
  const text = readFileSync(new URL('../../../../models/catalogue/influenza.csv', import.meta.url), 'utf8');
  const blocks: PlainBlock[] = [
    { id: 'day', kind: 'column', table: 'school', column: 'day' },
    { id: 'in_bed', kind: 'column', table: 'school', column: 'in_bed' },
    parameter('r', 0.002, { scale: 'log' }),
    parameter('rho', 300, { scale: 'log' }),
    {
      id: 'epidemic',
      kind: 'ode',
      times: 'day',
      // One boy of 763 was ill the day before three were in bed.
      from: -1,
      state: { S: { initial: 762, rate: '-r * S * I' }, I: { initial: 1, rate: 'r * I * (S - rho)' } },
    },
    { id: 'loss', kind: 'least-squares', prediction: 'epidemic.I', observed: 'in_bed' },
  ];
  const tables = { school: { file: 'influenza.csv' } };
  const path = written({ format: 'cotangent/1', tables, blocks, objective: 'loss' }, { 'influenza.csv': text });
  const { status, parameters } = await fitJson<Fit>([path]);
  expect(status).toBe('converged');
  expect(Math.abs(parameters['r']!.value / 2.18e-3 - 1)).toBeLessThan(0.01);
  expect(Math.abs(parameters['rho']!.value / 202 - 1)).toBeLessThan(0.01);
});

it('evaluate reports the error by step doubling, which is near the true one, and says so to people', async () => {
  const blocks = [
    { id: 't', kind: 'constant', value: [0, 1] },
    { id: 'x', kind: 'ode', times: 't', substeps: 2, state: { a: { initial: 1, rate: '-3 * a' } } },
  ];
  const path = written({ format: 'cotangent/1', blocks });
  const { values, odeError } = (await json('evaluate', path, '--output', 'x')) as {
    values: { x: number[] };
    odeError: { x: number };
  };
  const error = Math.abs(values.x[1]! - Math.exp(-3));
  expect(odeError.x / error).toBeGreaterThan(0.7);
  expect(odeError.x / error).toBeLessThan(1.4);
  const { stdout } = await cotangent('evaluate', path, '--output', 'x');
  expect(stdout).toMatch(/the steps of "x" leave an error of about 0\.0/);
});

describe('a solution that is none', () => {
  const stiff = { y: { initial: 1, rate: '-k * (y - cos(time))' } };
  const oscillator = { x: { initial: 2, rate: 'y' }, y: { initial: 0, rate: 'k*(1 - x^2)*y - x' } };
  const fixed = { method: 'rk4' };
  /** x = 1/(1 − k·t) */
  const explosion = { x: { initial: 1, rate: 'k * x^2' } };
  const model = (k: number, state: object, more: object = {}): string => {
    const blocks = [
      { id: 't', kind: 'constant', value: [0, 5, 10, 15] },
      parameter('k', k),
      { id: 's', kind: 'ode', times: 't', state, ...more },
      { id: 'beside', kind: 'map', formula: '2 * k' },
    ];
    return written({ format: 'cotangent/1', blocks });
  };

  it.each([
    ['grows without bound', 30, stiff, 'y', fixed, /"s" is not to be trusted: .*"substeps" to the solver/],
    ['overflows', 1e5, stiff, 'y', fixed, /"s" is not finite: .*"substeps" to the solver/],
    ['is NaN from the first step on', 100, oscillator, 'x', fixed, /"s" is not finite: .*"substeps"/],
    [
      'ends before its last time',
      1,
      explosion,
      'x',
      {},
      /"s" is not finite: it stops at (0\.99999|1\.0000)\d*, where no step is short enough.* grows without bound/,
    ],
  ])('that %s is an error of its block, with status 3, and no number', async (_, k, state, name, more, said) => {
    const path = model(k, state, more);
    const { status, stdout, stderr } = await cotangent('evaluate', path, '--output', `s.${name},beside`, '--json');
    const { values, errors, odeError } = JSON.parse(stdout) as {
      values: Record<string, unknown>;
      errors: { block: string; message: string }[];
      odeError: Record<string, number | string>;
    };
    expect({ status, values }).toEqual({ status: 3, values: { [`s.${name}`]: null, beside: 2 * k } });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toEqual({ block: 's', message: expect.stringMatching(said) as string });
    expect(stderr).toMatch(said);
    expect(Number(odeError['s'])).toBeGreaterThan(1);
  });

  it('has no derivatives either', async () => {
    const path = model(1000, stiff, fixed);
    const { status, stdout } = await cotangent(
      'differentiate',
      path,
      '--of',
      's.y',
      '--cotangent',
      '[1, 1, 1, 1]',
      '--json',
    );
    expect(status).toBe(3);
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['errors', 'odeError']);
  });

  it('has both once its steps suit it', async () => {
    const path = model(1000, stiff, { method: 'rosenbrock' });
    const { status, stdout } = await cotangent('evaluate', path, '--output', 's.y');
    expect(status).toBe(0);
    expect(stdout).toMatch(/the steps of "s" leave an error of about \d/);
  });

  it('is no end of a fit', async () => {
    const blocks = [
      { id: 't', kind: 'constant', value: [0, 1, 2, 3] },
      { id: 'y', kind: 'constant', value: [1, 0.4, 0.2, 0.1] },
      parameter('k', 0.5),
      {
        id: 's',
        kind: 'ode',
        times: 't',
        substeps: 1,
        state: { x: { initial: 1, rate: '-k * x + 40 * sin(40 * time)' } },
      },
      { id: 'loss', kind: 'least-squares', prediction: 's.x', observed: 'y' },
    ];
    const path = written({ format: 'cotangent/1', blocks, objective: 'loss' });
    const { status, reason, parameters } = await fitJson<Fit & { reason: string }>([path], 3);
    expect(status).toBe('failed');
    expect(reason).toMatch(/the solution of "s" is not to be trusted/);
    expect(parameters['k']?.standardError).toBeNull();
  });

  it('leaves times that are missing, and a start that is missing, out', async () => {
    const blocks = [
      {
        id: 't',
        kind: 'constant',
        value: [
          [0, 0],
          [1, 1],
          ['NaN', 2],
        ],
      },
      { id: 'start', kind: 'constant', value: [1, 'NaN'] },
      { id: 'x', kind: 'ode', times: 't', state: { a: { initial: 'start', rate: '-a' } } },
    ];
    const { values } = (await json('evaluate', written({ format: 'cotangent/1', blocks }), '--output', 'x')) as {
      values: { x: (number | string)[][] };
    };
    expect(values.x[1]?.[0]).toBeCloseTo(Math.exp(-1), 5);
    expect([values.x[2]?.[0], values.x[1]?.[1]]).toEqual(['NaN', 'NaN']);
  });
});
