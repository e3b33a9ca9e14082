/** Adjoints through ode blocks against central differences: parameters, starts, doses and the times themselves. */
import { expect, it } from 'vitest';
import { constant, documentOf, json, parameter, written, type PlainBlock } from '../../../support/command-line.ts';
import { evaluate } from '../../../support/documents.ts';

const square: PlainBlock = { id: 's', kind: 'reduce', operator: 'add', values: 'w' };

const state = {
  a: { initial: 'a0', rate: '-k * a + b * u' },
  b: { initial: 1, rate: 'k * a - 0.3 * b + 0.1 * sin(time)' },
};
/** Steps that differ between two evaluations differ by less than differences of them show. */
const tolerance = { relative: 1e-10, absolute: 1e-13 };
const steppings: [string, PlainBlock][] = [
  ['rk4', { substeps: 3 }],
  ['rosenbrock', { method: 'rosenbrock', substeps: 3 }],
  ['explicit steps as found', { method: 'explicit', tolerance }],
  ['stiff steps as found', { method: 'stiff', tolerance }],
  ['steps as found', { tolerance }],
];
const cases: [string, PlainBlock, PlainBlock[]][] = [
  ['parameters and starts', {}, []],
  ['a start that is a parameter', { from: 'from' }, [parameter('from', -0.4)]],
  [
    'a dose whose time is a parameter',
    { events: [{ times: 'lag', state: 'a', add: 'amount' }] },
    [parameter('lag', [0.3, 1.4]), parameter('amount', [2, 1])],
  ],
  ['times that are parameters', { times: 'tp' }, [parameter('tp', [0, 0.4, 1.5, 0.3])]],
  [
    'series with times and doses of their own',
    { times: 'tb', events: [{ times: 0.2, state: 'b', add: 'each' }] },
    [
      parameter('tb', [
        [0, 0.1],
        [0.5, 0.4],
        [1.5, 2],
        [1, 1],
      ]),
      parameter('each', [1, 2]),
    ],
  ],
];

const all = steppings.flatMap(([steps, stepping]) =>
  cases.map(([name, more, parameters]) => [`${name}, ${steps}`, { ...stepping, ...more }, parameters] as const),
);

it.each(all)('%s', async (_, more, parameters) => {
  const solved = {
    id: 'x',
    kind: 'ode',
    state,
    times: 't',
    inputs: { u: { times: 'ut', values: 'uv', interpolation: 'linear' } },
    ...more,
  };
  const sources = [parameter('k', 0.8), parameter('a0', 2), parameter('uv', [1, 0.5, 2]), ...parameters];
  const blocks = (changed: readonly PlainBlock[]): PlainBlock[] => [
    ...changed,
    constant('t', [0, 0.5, 1, 2]),
    constant('ut', [0.2, 0.9, 1.1]),
    solved,
    { id: 'w', kind: 'map', formula: 'a^2 * (index + 1)', inputs: { a: 'x.a' } },
    ...(more['times'] === 'tb'
      ? [
          { id: 'rows', kind: 'reduce', operator: 'add', values: 'w' },
          { ...square, values: 'rows' },
        ]
      : [square]),
  ];
  const path = written(documentOf(blocks(sources)));
  const { adjoints } = (await json('differentiate', path, '--of', 's')) as { adjoints: Record<string, unknown> };
  for (const source of sources) {
    const id = String(source['id']);
    const flat = [source['initial']].flat(2) as number[];
    const found = [adjoints[id]].flat(2) as number[];
    for (const [i, at] of flat.entries()) {
      const moved = async (by: number): Promise<number> => {
        const values = flat.map((each, j) => (j === i ? at + by : each));
        const again = sources.map((other) =>
          other === source ? { ...source, initial: shapedAs(source['initial'], values) } : other,
        );
        return (await evaluate(blocks(again), 's')) as number;
      };
      const step = 1e-5;
      const difference = ((await moved(step)) - (await moved(-step))) / (2 * step);
      expect(Math.abs(found[i]! - difference), `${id}[${i}]: ${found[i]} and ${difference}`).toBeLessThan(
        1e-6 * Math.max(1, Math.abs(difference)),
      );
    }
  }
});

function shapedAs(like: unknown, values: number[]): unknown {
  const rest = [...values];
  const fill = (part: unknown): unknown => (Array.isArray(part) ? part.map(fill) : rest.shift());
  return fill(like);
}
