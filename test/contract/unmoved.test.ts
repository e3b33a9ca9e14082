/** What does not move at a 0 moves nothing, however steep the formula is there: (x/t)^b at x = 0 by t. */
import { expect, it } from 'vitest';
import { documentOf, json, map, parameter, quietJson, written, type PlainBlock } from '../support/command-line.ts';

const xs = [0, 0.5, 1, 2, 4, 8];
const at = (formula: string, of: readonly number[]) =>
  written(
    documentOf(
      [
        { id: 'x', kind: 'column', table: 't', column: 'x', type: 'real' },
        parameter('a', 5),
        parameter('t', 2),
        parameter('b', 0.5),
        map('f', formula),
        { id: 'sum', kind: 'reduce', operator: 'add', values: 'f' },
      ],
      { tables: { t: { columns: { x: of } } } },
    ),
  );

interface Derivative {
  readonly adjoints: Readonly<Record<'a' | 't' | 'b', unknown>>;
  readonly tangent: number;
}

it.each([
  // The formula, and what its row at x = 0 is by a, t and b, whatever the others are.
  ['a*exp(-(x/t)^b)', [1, 0, 0]],
  ['a/(1 + (x/t)^b)', [1, 0, 0]],
  ['a*(x*t)^b', [0, 0, 0]],
  ['a*sqrt(x*t) + b', [0, 0, 1]],
  ['a*sqrt(-t*(-x)/3) + b', [0, 0, 1]],
  ['a*cbrt(x/t) + b', [0, 0, 1]],
  ['a*sqrt(x*t + x*b)', [0, 0, 0]],
  ['a*max(x/t, 0)^b', [0, 0, 0]],
])('%s in both modes and to second order', async (formula, row) => {
  const [whole, rest] = [at(formula, xs), at(formula, xs.slice(1))];
  const ids = ['a', 't', 'b'] as const;
  const by = async (path: string) => {
    const { adjoints } = (await json('differentiate', path, '--of', 'sum')) as Derivative;
    return ids.map((id) => Number(adjoints[id]));
  };
  const [all, others] = [await by(whole), await by(rest)];
  for (const [i, id] of ids.entries()) {
    expect(all[i]! - others[i]!).toBeCloseTo(row[i]!, 12);
    const forward = (await json('differentiate', whole, '--of', 'sum', '--tangent', `{"${id}": 1}`)) as Derivative;
    expect(forward.tangent).toBeCloseTo(all[i]!, 12);
  }
  const hessian = async (path: string) =>
    ((await json('hessian', path, '--of', 'sum')) as { hessian: number[][] }).hessian.flat();
  const [second, of] = [await hessian(whole), await hessian(rest)];
  second.forEach((value, i) => expect(value).toBeCloseTo(of[i]!, 12));
});

const fitted = (blocks: readonly PlainBlock[], y: (x: number) => number) =>
  written(
    documentOf(
      [
        { id: 'x', kind: 'constant', value: xs },
        { id: 'y', kind: 'constant', value: xs.map(y) },
        parameter('a', 5),
        parameter('t', 2),
        ...blocks,
        { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' },
      ],
      { objective: 'loss' },
    ),
  );

it.each([
  ['a reading that is met exactly there', [map('f', 'a*sqrt(x*exp(t))')], (x: number) => 3 * Math.sqrt(x) + 0.1 * x],
  [
    'a power in another block than its base',
    [map('u', 'x/t'), map('f', 'a*(1 + u)*exp(-u^0.5)')],
    (x: number) => 6 / (1 + x),
  ],
])('%s leaves the gradient what central differences have', async (_, blocks, y) => {
  const path = fitted(blocks, y);
  const { adjoints } = (await json('differentiate', path, '--of', 'loss')) as Derivative;
  const loss = async (t: number) => {
    const { values } = (await json('evaluate', path, '--output', 'loss', '--set', `t=${t}`)) as {
      values: { loss: number };
    };
    return values.loss;
  };
  const h = 1e-5;
  expect(Number(adjoints.t)).toBeCloseTo(((await loss(2 + h)) - (await loss(2 - h))) / (2 * h), 5);
});

it('a stretched exponential is fitted to readings that begin at time 0', async () => {
  const [a, t, b] = [6, 3, 0.6];
  const path = written(
    documentOf(
      [
        { id: 'x', kind: 'constant', value: xs },
        { id: 'y', kind: 'constant', value: xs.map((x) => a * Math.exp(-((x / t) ** b))) },
        parameter('a', 1),
        parameter('t', 1),
        parameter('b', 1),
        map('f', 'a*exp(-(x/t)^b)'),
        { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' },
      ],
      { objective: 'loss' },
    ),
  );
  for (const method of ['levenberg-marquardt', 'newton-cg', 'l-bfgs-b']) {
    const fit = await quietJson<{ status: string; parameters: Record<string, { value: number }> }>([
      'fit',
      path,
      '--method',
      method,
    ]);
    expect(fit.status).toBe('converged');
    expect(fit.parameters['t']!.value).toBeCloseTo(t, 5);
    expect(fit.parameters['b']!.value).toBeCloseTo(b, 5);
  }
});
