/**
 * (carries, outputs, row) = step(carries, inputs, rows of earlier steps, invariants) along an axis, a thread for each of
 * the other axes' points, which reads what it has itself written; backward, it adds to rows that it has cleared. A
 * dispatch may take a part of the axis, [word 0, word 1); between parts the carries wait in scratch.
 */
import { sizeProduct } from '../../0-ir/sizes.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { HistoryStep } from '../../3-plan/plan.ts';
import { sourceElement } from '../../3-plan/sources.ts';
import { functionWork } from './cost.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import { wgslType } from './scalar/literal.ts';
import type { KernelFamily } from './module.ts';
import { recurrence } from './recurrence.ts';
import { Space } from './wgsl/space.ts';
import { outputsAlong, placeAlong } from './combine/tuple.ts';

export const history: KernelFamily<HistoryStep> = {
  generate(step) {
    const { axis, backward, initial, inputs, places, invariants, finals, rows, found, asked } = step;
    const writer = new KernelWriter();
    const shape = withoutAxis(step.domain, axis);
    const space = new Space(writer, shape, 'item');
    const items = writer.size(sizeProduct(shape));
    const length = writer.size(step.domain[axis]!);
    const types = resultTypes(step.step);
    const call = writer.function('f', step.step);
    const result = (k: number): string => (types.length === 1 ? 'y' : `y.r${k}`);
    const scratch = initial.map((_, k) => `${writer.scratch(0)} + ${k} * ${items} + item`);
    const firstWritten = initial.length + step.outputs.length;
    const written = outputsAlong(writer, space, axis, [...step.outputs, ...rows, ...found]);
    const writtenAt = written.places('at');
    const [outputPlaces, rowPlaces] = [writtenAt.slice(0, step.outputs.length), writtenAt.slice(step.outputs.length)];
    const foundPlaces = rowPlaces.splice(rows.length);
    const along = [...inputs, ...places];
    const alongPlaces = along.map((source) => placeAlong(writer, space, axis, source));
    const values = along.map((source, k) =>
      readSource(writer, source, `x${k} + at * ${writer.size(source.strides[axis]!)}`),
    );
    const count = asked ? resultTypes(asked).length : places.length;
    const each = Array.from({ length: count }, (_, q) => q);
    /** Where a column is at a row that is counted from the axis' own start. */
    const rowAt = (column: number, row: string): string => {
      const turned = backward ? `(${length} - 1 - ${row})` : row;
      return `y${step.outputs.length + column} + ${turned} * ${writer.size(rows[column]!.strides[axis]!)}`;
    };
    const own = inputs.map((_, k) => `u${k}`);
    const carried = initial.map((_, k) => `carry${k}`);
    const fixed = invariants.map((_, k) => `invariant${k}`);
    const asking = asked && writer.function('asked', asked)([...carried, ...own, ...fixed]);
    const search = (q: number): string[] => [
      `var place${q} = 0;`,
      `var high${q} = here;`,
      'loop {',
      `  if (place${q} >= high${q}) { break; }`,
      `  let middle = (place${q} + high${q}) / 2;`,
      `  if (${writer.load('real', rowAt(0, 'middle'))} <= ${count === 1 ? 'wanted' : `wanted.r${q}`}) {`,
      `    place${q} = middle + 1;`,
      '  } else {',
      `    high${q} = middle;`,
      '  }',
      '}',
      `place${q} -= 1;`,
    ];
    const isThere = (q: number): string => `place${q} >= 0 && place${q} < here`;
    const reads = backward
      ? rows.map((_, k) => `let row${k} = ${writer.load('real', rowPlaces[k] ?? '')};`)
      : each.flatMap((q) =>
          rows.flatMap((_, k) => [
            `var row${q * rows.length + k} = ${writer.literal('real', 0)};`,
            `if (${isThere(q)}) { row${q * rows.length + k} = ${writer.load('real', rowAt(k, `place${q}`))}; }`,
          ]),
        );
    const readCount = backward ? rows.length : count * rows.length;
    const operands = [...carried, ...own, ...Array.from({ length: readCount }, (_, k) => `row${k}`), ...fixed];
    const leaves = backward
      ? each.flatMap((q) => [
          `if (${isThere(q)}) {`,
          ...rows.flatMap((_, k) => [
            `  let to${k} = ${rowAt(k, `place${q}`)};`,
            `  ${writer.store('real', `to${k}`, `${writer.load('real', `to${k}`)} + ${result(firstWritten + q * rows.length + k)}`)}`,
          ]),
          '}',
        ])
      : rows.map((_, k) => writer.store('real', rowPlaces[k] ?? '', result(firstWritten + k)));
    const read = (source: (typeof initial)[number]): string =>
      readSource(writer, source, space.address(sourceBase(writer, source), source.strides));
    const body = [
      ...alongPlaces.map((place, k) => `let x${k} = ${place};`),
      ...written.declarations,
      ...invariants.map((invariant, k) => `let invariant${k} = ${read(invariant)};`),
      ...initial.map((carry, k) => `var carry${k}: ${wgslType(sourceElement(carry))};`),
      `if (${writer.word(0)} == 0) {`,
      ...initial.map((carry, k) => `  carry${k} = ${read(carry)};`),
      ...(backward
        ? [
            `  for (var at = 0; at < ${length}; at++) {`,
            ...rows.map((_, k) => `    ${writer.store('real', rowPlaces[k] ?? '', writer.literal('real', 0))}`),
            '  }',
          ]
        : []),
      '} else {',
      ...initial.map((carry, k) => `  carry${k} = ${writer.load(sourceElement(carry), scratch[k] ?? '')};`),
      '}',
      `for (var at = ${writer.word(0)}; at < ${writer.word(1)}; at++) {`,
      `  let here = ${backward ? `${length} - 1 - at` : 'at'};`,
      ...inputs.map((_, k) => `  let u${k} = ${values[k] ?? ''};`),
      ...(asking
        ? [`  let wanted = ${asking};`, ...each.flatMap(search)]
        : each.map((q) => `  let place${q} = ${values[inputs.length + q] ?? ''};`)),
      ...found.flatMap((access, q) => (access ? [writer.store('int', foundPlaces[q] ?? '', `place${q}`)] : [])),
      ...reads,
      `  let y = ${call(operands)};`,
      ...initial.map((_, k) => `  carry${k} = ${result(k)};`),
      ...step.outputs.flatMap((output, k) =>
        output
          ? [writer.store(types[initial.length + k] ?? 'real', outputPlaces[k] ?? '', result(initial.length + k))]
          : [],
      ),
      ...leaves,
      '}',
      `if (${writer.word(1)} == ${length}) {`,
      ...finals.flatMap((final, k) =>
        final ? [writer.store(types[k] ?? 'real', space.address(writer.place(final), final.strides), `carry${k}`)] : [],
      ),
      '} else {',
      ...initial.map((carry, k) => writer.store(sourceElement(carry), scratch[k] ?? '', `carry${k}`)),
      '}',
    ];
    return {
      kernels: [writer.finish([...space.declarations(), ...body])],
      sizes: {
        items: sizeProduct(shape),
        length: step.domain[axis]!,
        carries: initial.length,
        work:
          functionWork(step.step) +
          (asked ? functionWork(asked) : 0) +
          2 * (inputs.length + step.outputs.length) +
          4 * count * (8 + rows.length),
      },
    };
  },

  scratch: ({ items = 0, carries = 0 }) => [items * carries],
  schedule: recurrence.schedule,
};
