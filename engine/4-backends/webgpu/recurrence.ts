/**
 * (carries, outputs) = step(carries, inputs, invariants) along an axis, a thread for each of the other axes' points.
 * A dispatch may take a part of the axis, [word 0, word 1); between parts the carries wait in scratch.
 */
import { sizeProduct } from '../../0-ir/sizes.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import type { RecurrenceStep } from '../../3-plan/plan.ts';
import { sourceElement } from '../../3-plan/sources.ts';
import { functionWork } from './cost.ts';
import { KernelWriter, readSource, sourceBase } from './wgsl/kernel-writer.ts';
import { wgslType } from './scalar/literal.ts';
import type { Dispatch, KernelFamily } from './module.ts';
import { Space } from './wgsl/space.ts';
import { outputsAlong, placeAlong } from './combine/tuple.ts';
import { removeAxis } from '../../3-plan/coalesce.ts';

export const recurrence: KernelFamily<RecurrenceStep> = {
  generate(step) {
    const { axis, initial, inputs, invariants, finals } = step;
    const writer = new KernelWriter();
    const shape = withoutAxis(step.domain, axis);
    const space = new Space(writer, shape, 'item');
    const items = writer.size(sizeProduct(shape));
    const length = writer.size(step.domain[axis]!);
    const call = writer.function('f', step.step);
    const types = resultTypes(step.step);
    const result = (k: number): string => (types.length === 1 ? 'y' : `y.r${k}`);
    const scratch = initial.map((_, k) => `${writer.scratch(0)} + ${k} * ${items} + item`);
    const outputs = outputsAlong(writer, space, axis, step.outputs);
    const everyOf = (k: number): string => writer.size(step.every?.[k] ?? 1);
    const isThin = (k: number): boolean => (step.every?.[k] ?? 1) !== 1;
    const outputPlaces = step.outputs.map((_, k) => outputs.places(isThin(k) ? `(at / ${everyOf(k)})` : 'at')[k]);
    const { rests, back, reached } = step;
    const slots = rests === undefined ? '1' : writer.size(rests);
    const inputPlaces = inputs.map((input) => placeAlong(writer, space, axis, input));
    const inputsAt = inputs.map((input, k) => {
      const kind = back?.inputs[k];
      // Where a lane stands beyond the slot at which the other recurrence came to rest, that one says what was.
      const step = kind === 'kept' ? '(at + max(slot - last, 0))' : kind === 'first' ? `(at / ${slots})` : 'at';
      const here = readSource(writer, input, `x${k} + ${step} * ${writer.size(input.strides[axis]!)}`);
      return kind === 'first' ? `select(0.0, ${here}, slot == 0)` : here;
    });
    const operands = [...initial.map((_, k) => `carry${k}`), ...inputsAt, ...invariants.map((_, k) => `invariant${k}`)];
    const mark = reached && { ...reached, strides: removeAxis(reached, axis).strides };
    const markAt = reached && `mark + at / ${slots} * ${writer.size(reached.strides[axis]!)}`;
    const fromAt = back && `from + at / ${slots} * ${writer.size(back.from.strides[axis]!)}`;
    const same = initial.map((carry, k) =>
      sourceElement(carry) === 'real'
        ? `bitcast<u32>(carry${k}) == bitcast<u32>(${result(k)})`
        : `carry${k} == ${result(k)}`,
    );
    const unchanged = same.length > 0 ? same.join(' && ') : 'true';
    /** From a step to the last of its so many: what comes to rest passes over the others. */
    const toTheLast = (many: string): string => `${many} - 1 - at % ${many}`;
    const read = (source: (typeof initial)[number]): string =>
      readSource(writer, source, space.address(sourceBase(writer, source), source.strides));
    const body = [
      ...inputPlaces.map((place, k) => `let x${k} = ${place};`),
      ...outputs.declarations,
      ...(mark ? [`let mark = ${space.address(writer.place(mark), mark.strides)};`] : []),
      ...(back ? [`let from = ${placeAlong(writer, space, axis, back.from)};`] : []),
      ...invariants.map((invariant, k) => `let invariant${k} = ${read(invariant)};`),
      ...initial.map((carry, k) => `var carry${k}: ${wgslType(sourceElement(carry))};`),
      `if (${writer.word(0)} == 0) {`,
      ...initial.map((carry, k) => `  carry${k} = ${read(carry)};`),
      '} else {',
      ...initial.map((carry, k) => `  carry${k} = ${writer.load(sourceElement(carry), scratch[k] ?? '')};`),
      '}',
      `for (var at = ${writer.word(0)}; at < ${writer.word(1)}; at++) {`,
      ...(back && fromAt !== undefined
        ? [`  let slot = ${slots} - 1 - at % ${slots};`, `  let last = ${readSource(writer, back.from, fromAt)};`]
        : []),
      `  let y = ${call(operands)};`,
      ...(rests === undefined ? [] : [`  let rests = ${unchanged} && ${back ? 'slot > last' : `at % ${slots} != 0`};`]),
      ...initial.map((_, k) => `  carry${k} = ${result(k)};`),
      ...step.outputs.flatMap((output, k) =>
        output
          ? [
              ...(isThin(k) ? [`if (at % ${everyOf(k)} == 0) {`] : []),
              writer.store(types[initial.length + k] ?? 'real', outputPlaces[k] ?? '', result(initial.length + k)),
              ...(isThin(k) ? ['}'] : []),
            ]
          : [],
      ),
      // A dispatch that begins between two knots, after one that rested there, says nothing of where.
      ...(markAt === undefined
        ? []
        : [
            `  if (at % ${slots} == 0) { ${writer.store('int', markAt, `${slots} - 1`)} }`,
            `  if (rests && ${writer.load('int', markAt)} == ${slots} - 1) { ${writer.store('int', markAt, `at % ${slots}`)} }`,
          ]),
      ...(rests === undefined ? [] : [`  if (rests) { at += ${back ? 'slot - last' : toTheLast(slots)}; }`]),
      '}',
      `if (${writer.word(1)} == ${length}) {`,
      ...finals.flatMap((final, k) =>
        final ? [writer.store(types[k] ?? 'real', space.address(writer.place(final), final.strides), `carry${k}`)] : [],
      ),
      '} else {',
      ...initial.map((carry, k) => writer.store(sourceElement(carry), scratch[k] ?? '', `carry${k}`)),
      '}',
    ];
    const kernel = writer.finish([...space.declarations(), ...body]);
    return {
      kernels: [kernel],
      sizes: {
        items: sizeProduct(shape),
        length: step.domain[axis]!,
        carries: initial.length,
        work: functionWork(step.step) + 2 * (inputs.length + step.outputs.length),
      },
    };
  },

  scratch: ({ items = 0, carries = 0 }) => [items * carries],

  schedule({ items = 0, length = 0, work = 1 }, { budget, together }) {
    const part = Math.max(1, Math.floor(budget / (work * Math.max(items, together))));
    const dispatches: Dispatch[] = [];
    for (let from = 0; from === 0 || from < length; from += part) {
      const to = Math.min(from + part, length);
      dispatches.push({ kernel: 0, items, work: work * (to - from) + 2, words: [from, to, 0] });
    }
    return dispatches;
  },
};
