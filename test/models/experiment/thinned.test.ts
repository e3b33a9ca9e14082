/** Of more readings than a contest is held on, some of each group. */
import { expect, it } from 'vitest';
import { thinned, type Readings } from '../../../models/experiment/readings.ts';

/** Readings at 0, 1, 2, …, each in one of these groups. */
function readingsIn(of: Int32Array, labels: readonly string[]): Readings {
  const values = Float64Array.from(of.keys());
  const column = (name: string) => ({ name, unit: '', values });
  return {
    ...{ x: column('x'), y: column('y'), signal: column('y'), sigma: undefined, weight: undefined },
    ...{ trials: undefined, below: undefined, above: undefined, dose: undefined, condition: undefined },
    ...{ replicate: undefined, row: Int32Array.from(of.keys()), dropped: [], controls: undefined },
    ...{ group: { name: 'g', unit: '', labels, of }, excluded: new Map([[8, 'seen twice']]) },
  };
}

it('groups that take turns keep as many each, and what is excluded stays so', () => {
  const some = thinned(
    readingsIn(
      Int32Array.from({ length: 20 }, (_, i) => i % 2),
      ['a', 'b'],
    ),
    10,
  );
  expect([...some.row]).toEqual([0, 1, 4, 5, 8, 9, 12, 13, 16, 17]);
  expect([...some.group!.of]).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  expect([...some.y.values]).toEqual([...some.row]);
  expect(some.excluded).toEqual(new Map([[4, 'seen twice']]));
});

it('a group of one reading keeps it', () => {
  const of = new Int32Array(100);
  of[51] = 1;
  expect([...thinned(readingsIn(of, ['a', 'b']), 10).row]).toContain(51);
});
