/**
 * Derivatives by when a rate jumps, and by when an event happens: of first order where the jump is at an output or a dose itself,
 * and of second order. Against closed forms.
 */
import { expect, it } from 'vitest';
import { column, documentOf, json, parameter, written, type PlainBlock } from '../support/command-line.ts';

interface Told {
  readonly parameters: Readonly<Record<string, number>>;
  readonly times: readonly number[];
  readonly state: Readonly<Record<string, { readonly initial: number | string; readonly rate: string }>>;
  readonly events?: readonly PlainBlock[];
  readonly loss: string;
}

/** `loss` is a formula of `x`, the rows of the first state. */
const model = ({ parameters, times, state, events, loss }: Told): PlainBlock =>
  documentOf(
    [
      column('t'),
      ...Object.entries(parameters).map(([id, initial]) => parameter(id, initial)),
      {
        ...{ id: 'm', kind: 'ode', times: 't', from: 0, state, tolerance: { relative: 1e-11, absolute: 1e-13 } },
        ...(events && { events }),
      },
      { id: 'rows', kind: 'map', formula: loss, inputs: { x: Object.keys(state).length > 1 ? 'm.n' : 'm' } },
      { id: 'loss', kind: 'reduce', operator: 'add', values: 'rows' },
    ],
    { tables: { T: { columns: { t: times } } }, objective: 'loss' },
  );

const gradientOf = async (told: Told): Promise<Record<string, number>> =>
  ((await json('differentiate', written(model(told)), '--of', 'loss')) as { adjoints: Record<string, number> })
    .adjoints;
const hessianOf = async (told: Told): Promise<number[][]> =>
  ((await json('hessian', written(model(told)))) as { hessian: number[][] }).hessian;

const steps = (rate: string): Told['state'] => ({ x: { initial: 0, rate } });

it('a rate that jumps at an output: x(7) = 4·ts + 9', async () => {
  const told = { parameters: { ts: 3.5 }, times: [6, 7], state: steps('if(time < ts, 4, 0) + if(time < 6, 1.5, 0)') };
  const { ts } = await gradientOf({ ...told, loss: 'x' });
  expect(ts).toBeCloseTo(8, 10);
});

it('a rate that jumps at a dose, both of one parameter: x(7) = 3 + 1.5·ts', async () => {
  const { ts } = await gradientOf({
    ...{ parameters: { ts: 3.5 }, times: [7], state: steps('if(time < ts, 1.5, 0)'), loss: 'x' },
    events: [{ times: 'ts', state: 'x', add: 3 }],
  });
  expect(ts).toBeCloseTo(1.5, 10);
});

it('a rate that jumps at an output by a parameter, as seen from later: x(7) = 1 + 4·ts', async () => {
  const told = { parameters: { ts: 3 }, times: [3, 7], state: steps('if(time < ts, 4, 0)') };
  const { ts } = await gradientOf({ ...told, loss: 'x*if(index == 1, 1, 0)' });
  expect(ts).toBeCloseTo(4, 10);
});

it('what grows until then has the curvature of when: x(7) = e^ts', async () => {
  const state = { x: { initial: 1, rate: 'if(time < ts, x, 0)' } };
  const [[curvature]] = (await hessianOf({ parameters: { ts: 1.2 }, times: [7], state, loss: 'x' })) as [[number]];
  expect(curvature).toBeCloseTo(Math.exp(1.2), 9);
});

it('what an event begins has the curvature of when: n(3) = e^((3 − ln th)/2)', async () => {
  const state = { x: { initial: 1, rate: 'x' }, n: { initial: 0, rate: '0.5*n' } };
  const events = [{ when: 'x > th', set: { n: '1' } }];
  const [[curvature]] = (await hessianOf({ parameters: { th: 2 }, times: [3], state, events, loss: 'x^2' })) as [
    [number],
  ];
  // n² = e³/th
  expect(curvature).toBeCloseTo((2 * Math.exp(3)) / 8, 8);
});

it('and so has what it sets of what has moved until then, by each pair of parameters', async () => {
  const state = { x: { initial: 'x0', rate: 'k*x' }, n: { initial: 0, rate: '0.1*x' } };
  const events = [{ when: 'x > th', set: { n: 'n + time*x' } }];
  const found = await hessianOf({
    ...{ parameters: { k: 0.3, th: 2, x0: 1 }, times: [4], state, events, loss: 'x' },
  });
  // n(4) = 0.1·x0·(e^(4k) − 1)/k + th·ln(th/x0)/k
  const n = (k: number, th: number, x0: number): number =>
    (0.1 * x0 * (Math.exp(4 * k) - 1)) / k + (th * Math.log(th / x0)) / k;
  const at = [0.3, 2, 1] as const;
  const h = 1e-3;
  const moved = (i: number, a: number, j: number, b: number): number => {
    const point = [...at] as [number, number, number];
    point[i] = point[i]! + a;
    point[j] = point[j]! + b;
    return n(...point);
  };
  for (const i of at.keys())
    for (const j of at.keys()) {
      const mixed = (d: number): number =>
        (moved(i, d, j, d) - moved(i, d, j, -d) - moved(i, -d, j, d) + moved(i, -d, j, -d)) / (4 * d * d);
      const wanted = (4 * mixed(h) - mixed(2 * h)) / 3;
      expect(Math.abs(found[i]![j]! - wanted)).toBeLessThan(1e-5 * Math.max(1, Math.abs(wanted)));
    }
});

it('a rate whose own rate is infinite behind a jump at an output moves nothing there: x(3) = 3·k', async () => {
  const state = steps('if(time < 3, k, sqrt(time - 3))');
  const told = { parameters: { k: 2 }, times: [3], state, loss: 'x' };
  expect((await gradientOf(told))['k']).toBeCloseTo(3, 10);
  expect(await hessianOf({ ...told, loss: 'x^2' })).toEqual([[expect.closeTo(18, 8)]]);
});
