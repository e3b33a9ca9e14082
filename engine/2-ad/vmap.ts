/**
 * Many at once: P on values  ⇒  P on values with a new leading axis. What depends on no batched value is computed once.
 *
 * The IR's conventions (program.ts) make this closed: domains gain an axis, indices gain a batch axis.
 */
import { ProgramBuilder } from '../0-ir/builder.ts';
import { IrError } from '../0-ir/types.ts';
import { mapOperands, operandsOf } from '../0-ir/operands.ts';
import type { ConstructKind, Program, Value } from '../0-ir/program.ts';
import type { Size } from '../0-ir/sizes.ts';
import { call } from './vmap/call.ts';
import { constant } from './vmap/constant.ts';
import { gather } from './vmap/gather.ts';
import { histogram } from './vmap/histogram.ts';
import { keyedScan } from './vmap/keyed-scan.ts';
import { loop } from './vmap/loop.ts';
import { history, map, recurrence, reduce, scan, segmentedScan, solve } from './vmap/domain.ts';
import { matmul } from './vmap/matmul.ts';
import { scatter } from './vmap/scatter.ts';
import { concatenate, replicate, reshape, reverse, slice, transpose } from './vmap/shape.ts';
import { sortPermutation } from './vmap/sort-permutation.ts';
import { withBatch } from './vmap/batch.ts';
import type { Recursion, VmapRule } from './rule.ts';

const vmapRules: { readonly [K in ConstructKind]: VmapRule<K> } = {
  literal: constant,
  map,
  reduce,
  scan,
  'segmented-scan': segmentedScan,
  histogram,
  'keyed-scan': keyedScan,
  recurrence,
  history,
  solve,
  loop,
  gather,
  scatter,
  'sort-permutation': sortPermutation,
  iota: constant,
  replicate,
  reverse,
  transpose,
  reshape,
  slice,
  concatenate,
  matmul,
  call,
};

/** `over`: parameters that have the new axis, by name. Every result gets it. */
export function vmap(program: Program, size: Size, over: readonly string[]): Program {
  for (const name of over)
    if (!program.parameters.some((parameter) => parameter.name === name))
      throw new IrError(`there is no parameter ${name} to map over`);
  return vmapProgram(
    program,
    size,
    program.parameters.map(({ name }) => over.includes(name)),
  );
}

export function vmapProgram(program: Program, size: Size, batched: readonly boolean[]): Program {
  const b = new ProgramBuilder();
  const known = new Map<number, Value>();
  const lifted = new Set<number>();
  const now = (value: Value): Value => known.get(value.id)!;
  program.parameters.forEach(({ name, value, ...facts }, i) => {
    const shape = batched[i] ? [size, ...value.type.shape] : value.type.shape;
    known.set(value.id, b.parameter(name, { element: value.type.element, shape }, facts));
    if (batched[i]) lifted.add(value.id);
  });
  for (const { construct, results, origin } of program.statements) {
    b.origin = origin;
    const flags = operandsOf(construct).map((operand) => lifted.has(operand.id));
    const current = mapOperands(construct, now);
    const any = flags.some(Boolean);
    const rule = vmapRules[construct.kind] as VmapRule<ConstructKind>;
    const out = any ? rule(b, current, size, flags, recursion) : b.emit(current);
    results.forEach((result, i) => {
      known.set(result.id, out[i]!);
      if (any) lifted.add(result.id);
    });
  }
  b.origin = undefined;
  return b.finish(
    program.results.map(({ name, value }) => ({
      name,
      value: lifted.has(value.id) ? now(value) : withBatch(b, now(value), size),
    })),
  );
}

const recursion: Pick<Recursion, 'vmap'> = { vmap: vmapProgram };
