/** Fits of differential equations against fits of their closed solutions. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { cotangent, json, parameter, written, type PlainBlock } from '../../support/command-line.ts';
import { fitJson } from '../../support/process.ts';

interface Fit {
  status: string;
  objective: number;
  parameters: Record<string, { value: number; standardError: number }>;
  odeError?: Record<string, number>;
}

/** One subject of the theophylline table, 11 rows; the dose is swallowed at the first. */
const rows = readFileSync(new URL('../../../models/catalogue/theoph.csv', import.meta.url), 'utf8')
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
