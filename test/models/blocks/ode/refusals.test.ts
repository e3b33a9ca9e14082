import { expect, it } from 'vitest';
import { c, problemsOf, type PlainBlock } from '../../../support/documents.ts';

const decay = { a: { initial: 1, rate: '-a' } };
const t = c('t', [0, 1, 2]);
const k: PlainBlock = { id: 'k', kind: 'parameter', initial: 1 };
const many = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`s${i}`, { initial: 0, rate: '0' }]));

it.each<[string, PlainBlock, RegExp]>([
  ['a state of another meaning', { state: { time: { initial: 0, rate: '1' } } }, /"time" has a meaning of its own/],
  ['no state', { state: {} }, /wants at least one state/],
  ['an unknown name', { state: { a: { initial: 1, rate: '-kk * a' } } }, /kk/],
  ['the index in a rate', { state: { a: { initial: 1, rate: 'index * a' } } }, /"index" has no meaning in a rate/],
  ['a scalar of times', { times: 'one' }, /"times" wants an array, got a real scalar/],
  ['a time before the start', { from: 1 }, /"times" has the time 0, before the start at 1/],
  [
    'a dose before the start',
    { events: [{ times: -1, state: 'a', add: 1 }] },
    /"events.0.times" has the time -1, before the start at 0/,
  ],
  ['a dose to no state', { events: [{ times: 0, state: 'b', add: 1 }] }, /event 0 adds to "b", which is no state/],
  [
    'doses that do not match',
    { events: [{ times: 't', state: 'a', add: 'two' }] },
    /event 0: "add" is real \[2\], and there are 3 times/,
  ],
  [
    'inputs that do not match',
    { inputs: { u: { times: 't', values: 'two' } } },
    /the input "u" has times real \[3\] and values real \[2\]/,
  ],
  [
    'inputs out of order',
    { inputs: { u: { times: 'falling', values: 't' } } },
    /"u.times" wants ascending numbers, and element 1 is 1 after 2/,
  ],
  [
    'inputs whose times move',
    { inputs: { u: { times: 'moving', values: 't' } } },
    /the times of the input "u" are data/,
  ],
  ['no substeps', { substeps: 0 }, /"substeps" wants a whole number, 1 or more, got 0/],
  ['too many stiff states', { state: many, method: 'rosenbrock' }, /"rosenbrock" takes at most 12 states, got 13/],
  ['batches that differ', { state: { a: { initial: 'two', rate: '-three * a' } } }, /these shapes do not go together/],
])('refuses %s', async (_, more, says) => {
  const blocks = [
    t,
    k,
    c('one', 1),
    c('two', [1, 2]),
    c('three', [1, 2, 3]),
    c('falling', [2, 1, 0]),
    { id: 'moving', kind: 'map', formula: 'k * t' },
    { id: 'x', kind: 'ode', state: decay, times: 't', ...more },
  ];
  const messages = (await problemsOf(blocks)).map((problem) => problem.message).join('\n');
  expect(messages).toMatch(says);
  expect(messages).toMatch(/"x"/);
});
