/**
 * A sweep by one thread for an item: there, where what is seen along the axis is written to scratch, and back. `again`: of items
 * in doubt alone. Words: the part of the axis, from and to; what is carried from part to part is kept.
 */
import { sizeProduct } from '../../../0-ir/sizes.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import type { SweepStep } from '../../../3-plan/plan.ts';
import type { Kernel } from '../module.ts';
import { areas, beginSweep } from './sweep-points.ts';
import type { SeenScan, Swept } from './swept.ts';

function beginAlone(step: SweepStep, swept: Swept, again: boolean) {
  const begun = beginSweep(step, swept, 'item');
  const { writer, tuple, length, declarations } = begun;
  const items = writer.size(sizeProduct(withoutAxis(step.domain, step.axis)));
  const filled = `${writer.scratch(areas.carried)} + item`;
  const places = tuple.packed(`${filled} + ${items}`, items);
  const [from, to] = [writer.word(0), writer.word(1)];
  return {
    ...begun,
    from,
    to,
    /** Neighbouring items lie side by side. */
    prefix: (i: number) => `${writer.scratch(areas.prefixes)} + (at + ${i} * ${length}) * ${items} + item`,
    beginning: (isFirst: string) => [
      ...(again ? [`if (arena[${writer.scratch(areas.doubt)} + item] == 0u) { return; }`] : []),
      ...declarations(),
      'var sum: Tuple;',
      'var empty = true;',
      `if (!(${isFirst})) { sum = ${tuple.load(places)}; empty = arena[${filled}] == 0u; }`,
    ],
    ending: [...tuple.store(places, 'sum'), `arena[${filled}] = select(1u, 0u, empty);`],
  };
}

/** What is seen of `sum`, before the element joins it or after. */
function passing({ exclusive }: SeenScan, show: readonly string[], joined: string): string[] {
  const join = [`if (empty) { sum = value; } else { sum = ${joined}; }`, 'empty = false;'];
  return (exclusive ? [...show, ...join] : [...join, ...show]).map((line) => `  ${line}`);
}

export function there(step: SweepStep, swept: Swept, again: boolean): Kernel {
  const { writer, element, points, from, to, prefix, beginning, ending } = beginAlone(step, swept, again);
  const { along } = swept;
  const seen = points.seen(along, 'sum', 'empty');
  const show = along.types.map((type, i) => writer.store(type, prefix(i), seen[i]!));
  return writer.finish([
    ...beginning(`${from} == 0`),
    `for (var at = ${from}; at < ${to}; at++) {`,
    `  let value = ${element('at')};`,
    ...passing(along, show, 'combine(sum, value)'),
    '}',
    ...ending,
  ]);
}

export function back(step: SweepStep, swept: Swept, again: boolean): Kernel {
  const { writer, element, length, points, from, to, prefix, beginning, ending } = beginAlone(step, swept, again);
  const { along, against } = swept;
  const prefixes = along.types.map((type, i) => writer.load(type, prefix(i)));
  const show = points.write('at', 'value', [...prefixes, ...points.seen(against, 'sum', 'empty')]);
  return writer.finish([
    ...beginning(`${to} == ${length}`),
    ...points.declarations,
    `for (var at = ${to} - 1; at >= ${from}; at--) {`,
    `  let value = ${element('at')};`,
    ...passing(against, show, 'combine(value, sum)'),
    '}',
    ...ending,
  ]);
}
