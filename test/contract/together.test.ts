/** What falls together in time moves by its own parameter: doses, points of inputs, echoes of delays. Against closed forms. */
import { expect, it } from 'vitest';
import { column, constant, documentOf, json, parameter, written, type PlainBlock } from '../support/command-line.ts';

interface Told {
  readonly parameters: Readonly<Record<string, number>>;
  readonly times: readonly number[];
  readonly state: Readonly<Record<string, PlainBlock>>;
  readonly more?: PlainBlock;
  readonly beside?: readonly PlainBlock[];
}

/** `total`: the sum of the last state over the times. */
const model = ({ parameters, times, state, more = {}, beside = [] }: Told): string => {
  const names = Object.keys(state);
  return written(
    documentOf(
      [
        column('t'),
        ...Object.entries(parameters).map(([id, initial]) => parameter(id, initial)),
        ...beside,
        {
          ...{ id: 'm', kind: 'ode', times: 't', from: 0, state, ...more },
          tolerance: { relative: 1e-11, absolute: 1e-13 },
        },
        { id: 'total', kind: 'reduce', operator: 'add', values: names.length > 1 ? `m.${names.at(-1)}` : 'm' },
      ],
      { tables: { T: { columns: { t: times } } }, objective: 'total' },
    ),
  );
};

async function expectAdjoints(told: Told, wanted: Readonly<Record<string, number>>): Promise<void> {
  const { adjoints } = (await json('differentiate', model(told), '--of', 'total')) as {
    adjoints: Record<string, number>;
  };
  for (const [id, value] of Object.entries(wanted)) expect(adjoints[id], id).toBeCloseTo(value, 9);
}

const decay = Math.exp(-3.5);

it('two doses', () =>
  expectAdjoints(
    {
      parameters: { a: 1, b: 1 },
      times: [4.5],
      state: { x: { initial: 0, rate: '1 - x' } },
      more: {
        events: [
          { times: 'a', state: 'x', add: 1 },
          { times: 'b', state: 'x', add: 2 },
        ],
      },
    },
    { a: decay, b: 2 * decay },
  ));

it('a dose and a step of an input', () =>
  expectAdjoints(
    {
      parameters: { a: 1 },
      times: [4.5],
      state: { x: { initial: 0, rate: 'u - x' } },
      more: { inputs: { u: { times: 'at', values: 'u' } }, events: [{ times: 'a', state: 'x', add: 1 }] },
      beside: [constant('at', [0, 1, 2]), constant('u', [1, 3, 0])],
    },
    { a: decay },
  ));

it('two switches', () =>
  expectAdjoints(
    {
      parameters: { a: 1, b: 1 },
      times: [4.5],
      state: { x: { initial: 0, rate: '1 - x + if(time > a, 2, 0) - if(time > b, 0.5, 0)' } },
    },
    { a: -2 * decay, b: 0.5 * decay },
  ));

it('a switch by a state and one by time, and a dose', () =>
  expectAdjoints(
    {
      parameters: { most: 1, b: 1, dose: 1 },
      times: [4.5],
      state: {
        w: { initial: 0, rate: '1' },
        x: { initial: 0, rate: '1 - x + if(w > most, 2, 0) + if(time > b, 3, 0)' },
      },
      more: { events: [{ times: 'dose', state: 'x', add: 1 }] },
    },
    { most: -2 * decay, b: -3 * decay, dose: decay },
  ));

const grows = { x: { initial: 2, rate: '-x' } };
const one = { set: { x: 'x + 1' } };
/** Σ x(3), where x at another time is an output beside it. */
const atThree = (told: Omit<Told, 'times'>, between: number): Told => ({
  ...told,
  times: [between, 3],
  state: { ...told.state, last: { initial: 0, rate: '0' } },
  more: {
    ...told.more,
    events: [
      ...((told.more?.['events'] ?? []) as PlainBlock[]),
      { when: 'time >= 2.9', set: { last: `x*${Math.exp(-0.1)}` } },
    ],
  },
});

it.each([
  // x = 2e^{-t} + e^{-(t - a)}
  [
    'an output and an event',
    { parameters: { a: 1 }, state: grows, more: { events: [{ when: 'time >= a', ...one }] } },
    1,
    { a: Math.exp(-2) },
  ],
  [
    'an output and a dose',
    { parameters: { a: 1 }, state: grows, more: { events: [{ times: 'a', state: 'x', add: 1 }] } },
    1,
    { a: Math.exp(-2) },
  ],
  [
    'an output and an event that waited',
    {
      parameters: { d: 1 },
      state: grows,
      more: { events: [{ when: 'time >= 0.5', delay: 'd', values: 'execution', ...one }] },
    },
    1.5,
    { d: Math.exp(-1.5) },
  ],
  [
    'an event and a dose',
    {
      parameters: { a: 1 },
      state: grows,
      more: {
        events: [
          { times: 1, state: 'x', add: 1 },
          { when: 'time >= a', ...one },
        ],
      },
    },
    0.5,
    { a: Math.exp(-2) },
  ],
  [
    'two events that waited',
    {
      parameters: { c: 1, d: 1 },
      state: grows,
      more: {
        events: [
          { when: 'time >= 0.5', delay: 'c', values: 'execution', set: { x: 'x + 1' } },
          { when: 'time >= 0.5', delay: 'd', values: 'execution', set: { x: 'x + 2' } },
        ],
      },
    },
    0.5,
    { c: Math.exp(-1.5), d: 2 * Math.exp(-1.5) },
  ],
] as const)('%s', (_, told, between, wanted) => expectAdjoints(atThree(told, between), wanted));

it('an output and a reset by a threshold', () =>
  // x = t − th·n behind the nth reset
  expectAdjoints(
    {
      parameters: { th: 1 },
      times: [1, 4.5],
      state: { n: { initial: 0, rate: '0' }, x: { initial: 0, rate: '1' } },
      more: { events: [{ when: 'x >= th', set: { x: 0 } }] },
    },
    // x(1) = 1 − th where the reset comes before it.
    { th: -5 },
  ));

it('an echo of a dose and one of the start', () =>
  expectAdjoints(
    {
      parameters: { dose: 2, tau: 1 },
      times: [6.5],
      state: { x: { initial: 0, rate: '0' }, y: { initial: 0, rate: 'delay(x, tau)' } },
      more: { events: [{ times: 'dose', state: 'x', add: 1 }] },
    },
    { dose: -1, tau: -1 },
  ));

it('echoes of doses and doses', async () => {
  // y(t) = Σ e^{-(s - tᵢ)} between tᵢ + τ and t, x = Σ e^{-(t - tᵢ)}
  const doses = [1, 2, 3, 4];
  await expectAdjoints(
    {
      parameters: { tau: 1 },
      times: [6.5],
      state: { x: { initial: 0, rate: '-x' }, y: { initial: 0, rate: 'delay(x, tau)' } },
      more: { events: [{ times: 'at', state: 'x', add: 1 }] },
      beside: [constant('at', doses)],
    },
    { tau: -doses.reduce((sum, at) => sum + Math.exp(-(6.5 - 1 - at)), 0) },
  );
});

it('an input and the same input as it was', () =>
  expectAdjoints(
    {
      parameters: { tau: 1 },
      times: [4.5],
      state: { y: { initial: 0, rate: 'delay(u, tau) + 0*u' } },
      more: { inputs: { u: { times: 'at', values: 'u' } } },
      beside: [constant('at', [0, 1, 2, 3]), constant('u', [0, 2, 1, 3])],
    },
    // −u(4.5 − τ) + u(−τ)
    { tau: -3 },
  ));

it.each([
  [[5], 13 / 3],
  [[2], 1],
  [[2, 5], 16 / 3],
] as const)('an output and a multiple of the lag, of second order: at %j', async (times, second) => {
  // x' = −k·x(t − τ), x = 1 before: by the method of steps.
  const state = { x: { initial: 1, rate: '-k*delay(x, tau)', history: '1' } };
  const { hessian } = (await json('hessian', model({ parameters: { tau: 1, k: 1 }, times, state }))) as {
    hessian: number[][];
  };
  expect(hessian[0]![0]).toBeCloseTo(second, 8);
});
