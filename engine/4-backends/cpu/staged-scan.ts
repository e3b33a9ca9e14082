/**
 * A tile scanned element by element, with all that does not wait for the element before in vectors. In three stages of a
 * block: the prologue, into scratch; the operator, from scratch to scratch, which is the only one that needs the carry of
 * the tile before; the epilogue. So the first and the last run beside those of other tiles. Bits are those of one stage.
 */
import { arity, componentTypes } from '../../0-ir/operators.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import { restrictFunction } from '../../1-optimize/scalar/edit-function.ts';
import type { ScanStep } from '../../3-plan/plan.ts';
import { read, writeAt, type Line } from './access.ts';
import { blockLength, forBlocks, mapLine, scratchLines, type Written } from './blocks.ts';
import type { CarriedPart } from './carried-part.ts';
import { accumulate, reset, type Accumulator } from './combining.ts';
import { forLine } from './items.ts';
import type { Kernel } from './kernel.ts';
import { constant } from './representation.ts';
import { emitFunction } from './scalar-function.ts';
import { apply, get, type Expression } from './wasm/expression.ts';

/** The stages that a scan has beside its operator's. */
export interface Stages {
  readonly before: { readonly fn: ScalarFunction; readonly components: readonly number[] } | undefined;
  readonly after: { readonly fn: ScalarFunction; readonly components: readonly number[] } | undefined;
  /** Elements in a block. */
  readonly block: number;
}

/** Undefined where the operator's is the only one. */
export function stagesOf({ operator, prologue, epilogue }: ScanStep, { kept, right }: CarriedPart): Stages | undefined {
  const wanted = componentTypes(operator).flatMap((_, i) => (kept.includes(i) || right.includes(i) ? [i] : []));
  const all = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  const before = prologue
    ? { fn: restrictFunction(prologue, all(prologue.parameters.length), wanted), components: wanted }
    : undefined;
  const isShown = epilogue && readParameters(epilogue.function);
  const shown = kept.filter((i) => isShown?.[i]);
  const own = all(epilogue?.inputs.length ?? 0).map((i) => arity(operator) + i);
  const results = all(epilogue?.function.body.results.length ?? 0);
  const after = epilogue
    ? { fn: restrictFunction(epilogue.function, [...shown, ...own], results), components: shown }
    : undefined;
  if (!before && !after) return undefined;
  const scalars = (before?.components.length ?? 0) + (after?.components.length ?? 0);
  return { before, after, block: blockLength(scalars) };
}

export interface StagedTile {
  readonly step: ScanStep;
  readonly stages: Stages;
  readonly total: Accumulator;
  readonly flags: Line | undefined;
  readonly inputs: readonly Line[];
  /** The epilogue's. */
  readonly after: readonly Line[];
  readonly outputs: readonly Written[];
}

/** `begin` gives the total what the tile begins with, `end` hands on what it ends with. */
export function scanInStages(
  k: Kernel,
  tile: StagedTile,
  length: Expression,
  begin: () => void,
  end: () => void,
): void {
  const { f } = k;
  const { step, stages, total, flags, inputs, after, outputs } = tile;
  const { before: first, after: last, block } = stages;
  const types = componentTypes(step.operator);
  const typesOf = (components: readonly number[]) => components.map((i) => types[i] as ElementType);
  const scratch = scratchLines(k, typesOf([...(first?.components ?? []), ...(last?.components ?? [])]), block);
  const made = scratch.slice(0, first?.components.length ?? 0);
  const shown = scratch.slice(made.length);
  const nothing = (type: ElementType) => constant(k.precision, { type, value: 0 });

  const outputLines = outputs.map(({ line }) => line);
  const all = [...inputs, ...(flags ? [flags] : []), ...after, ...outputLines];
  forBlocks(k, length, block, all, (lines, place, places) => {
    const at = (group: readonly Line[]) => group.map((line) => lines[all.indexOf(line)] as Line);
    const [ins, besides] = [at(inputs), at(after)];
    const outs = at(outputLines).map((line, i): Written => ({ line, type: (outputs[i] as Written).type }));
    const flag = flags && at([flags])[0];

    if (first) mapLine(k, first.fn, ins, made, places);
    f.if(apply('i32.eqz', get(place)), begin);
    const elementLines = first ? made.map(({ line }) => line) : ins;
    const shownLines = last ? shown : outs;
    /** All components: of those that are not at hand nothing is read. */
    const component = (kept: readonly number[], values: readonly Expression[]) =>
      types.map((type, i) => (kept.includes(i) ? (values[kept.indexOf(i)] as Expression) : nothing(type)));
    const element = (): Expression[] => {
      const values = elementLines.map(({ along }) => get(f.keep(read(k, along))));
      if (first) return component(first.components, values);
      const own = step.prologue ? emitFunction(k, step.prologue, values) : values;
      return own.map((value) => get(f.keep(value)));
    };
    const show = (): void => {
      const kept = total.part?.kept ?? types.map((_, i) => i);
      const held = component(kept, total.components.map(get));
      const beside = last ? [] : besides.map(({ along }) => read(k, along));
      const results = last
        ? last.components.map((i) => held[i] as Expression)
        : step.epilogue
          ? emitFunction(k, step.epilogue.function, [...held, ...beside])
          : held;
      shownLines.forEach(({ line, type }, i) => writeAt(k, type, get(line.along.at), results[i] as Expression));
    };
    const walks = [
      ...elementLines,
      ...(flag ? [flag] : []),
      ...shownLines.map(({ line }) => line),
      ...(last ? [] : besides),
    ];
    forLine(k, places, walks, () => {
      if (flag) f.if(read(k, flag.along), () => reset(k, total));
      const values = element();
      if (step.exclusive) show();
      accumulate(k, total, values);
      if (!step.exclusive) show();
    });
    f.if(apply('i32.eq', apply('i32.add', get(place), places), length), end);
    if (last) mapLine(k, last.fn, [...shown.map(({ line }) => line), ...besides], outs, places);
  });
}
