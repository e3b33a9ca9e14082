/** Times, delays and names that mean nothing: one sentence that names the block, and no number that looks right. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  parameter,
  refusal,
  values,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const decay = (more: Readonly<Record<string, unknown>> = {}): PlainBlock => ({
  ...{ id: 'm', kind: 'ode', times: 't', state: { x: { initial: 1, rate: '-x' } } },
  ...more,
});
const at = (times: readonly unknown[], more?: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  documentOf([constant('t', times), decay(more)]);

describe('times of an ode block', () => {
  it.each([
    ['a horizon beyond what steps can tell apart', at([0, 1, 1e30]), /block "m": "times" has the time 1e\+30/],
    ['a first time of −∞', at(['-Infinity', 1]), /block "m": its solution would begin at -Infinity/],
    ['a start that is none', at([0, 1], { from: 'NaN' }), /block "m": its solution would begin at NaN/],
    ['a start at −∞', at([0, 1], { from: '-Infinity' }), /block "m": its solution would begin at -Infinity/],
    ['a start at ∞', at([0, 1], { from: 'Infinity' }), /block "m": its solution would begin at Infinity/],
  ])('%s is refused', async (_, document, says) => expect(await refusal(document)).toMatch(says));

  it('may be far, and may be missing', async () => {
    const blocks = [
      constant('t', [0, 1e15, 'NaN'] as never),
      decay({ state: { x: { initial: 1, rate: '1e-15*(2 - x)' } } }),
    ];
    expectClose((await values(blocks, ['m']))['m'], [1, 2 - Math.exp(-1), 'NaN'], 1e-6);
  });
});

describe('the delay of an event', () => {
  const delayed = (delay: unknown): PlainBlock[] => [
    constant('t', [0, 1, 2]),
    parameter('d', -1),
    decay({ from: 0, events: [{ when: 'time > 0.5', set: { x: 3 }, delay }] }),
  ];

  it.each([-1, '-1', 'NaN'])('of %s is refused', async (delay) =>
    expect(await refusal(documentOf(delayed(delay)))).toMatch(/block "m": event 0 has the delay (-1|NaN)/),
  );

  it.each(['d', '0/0'])('that comes to be none, %s, ends the solution', async (delay) => {
    const { status, stderr } = await cotangent(
      'evaluate',
      written(documentOf(delayed(delay))),
      '--output',
      'm',
      '--json',
    );
    expect(status).toBe(3);
    expect(stderr).toMatch(/"m" is not finite: it stops at 0\.5, where an event is triggered whose delay is below 0/);
  });

  it('may be below 0 by rounding alone', async () => {
    const found = await values(delayed('0.5 - time'), ['m']);
    expectClose(found['m'], [1, 3 * Math.exp(-0.5), 3 * Math.exp(-1.5)], 1e-6);
  });
});

describe('names of another format', () => {
  const named = (names: unknown): Record<string, unknown> => ({
    ...documentOf([parameter('a', 1), parameter('b', 2)]),
    names,
  });

  it.each([
    ['another', { a: 'b' }, /"a" stands for "b", and is the id of a block/],
    ['a formula', { a: { formula: '2*b', inputs: { b: 'b' } } }, /"a" stands for a formula, and is the id of a block/],
  ])('do not hide a block behind %s', async (_, names, says) => expect(await refusal(named(names))).toMatch(says));

  it('may name a block as it is called', async () => {
    const path = written(named({ a: 'a', c: 'b' }));
    const { status, stdout } = await cotangent('evaluate', path, '--output', 'a,c', '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ values: { a: 1, c: 2 } });
  });
});
