/**
 * Array programs become plans.
 *
 * Shape operations, literals and iotas become descriptions of where a value is (view.ts); every other construct emits
 * one step, sometimes after a copy. A step goes to the outermost block in which its operands are known: to `prepare`
 * when it depends on no varying input, out of a loop when it depends on nothing that the loop changes.
 */
import { operandsOf } from '../0-ir/operands.ts';
import type { Construct, ConstructKind, ConstructOf, Program, Statement, Value } from '../0-ir/program.ts';
import { sizeSymbols } from '../0-ir/sizes.ts';
import { inlineCalls, usesOf } from '../0-ir/walk.ts';
import { IrError } from '../0-ir/types.ts';
import { withLifetimes } from './lifetimes.ts';
import { lowerConcatenate } from './lower/concatenate.ts';
import { lowerGather } from './lower/gather.ts';
import { lowerHistory } from './lower/history.ts';
import { lowerHistogram } from './lower/histogram.ts';
import { lowerIota } from './lower/iota.ts';
import { lowerKeyedScan } from './lower/keyed-scan.ts';
import { lowerLiteral } from './lower/literal.ts';
import { lowerLoop } from './lower/loop.ts';
import { lowerMap } from './lower/map.ts';
import { lowerMatmul } from './lower/matmul.ts';
import { lowerRecurrence } from './lower/recurrence.ts';
import { lowerReduce } from './lower/reduce.ts';
import { lowerReplicate } from './lower/replicate.ts';
import { lowerReshape } from './lower/reshape.ts';
import { lowerReverse } from './lower/reverse.ts';
import { lowerScan } from './lower/scan.ts';
import { lowerScatter } from './lower/scatter.ts';
import { lowerSegmentedScan } from './lower/segmented-scan.ts';
import { lowerSlice } from './lower/slice.ts';
import { lowerSortPermutation } from './lower/sort-permutation.ts';
import { lowerTranspose } from './lower/transpose.ts';
import { Lowering, type Site } from './lowering.ts';
import type { Plan, PlanBuffer, Port } from './plan.ts';
import { sizesOf } from './step-parts.ts';
import { accessOf, broadcastView, type Block, type Located } from './view.ts';

/** Calls are inlined first. */
/** Calls are inlined, and solves written out, before. */
type Lowered = Exclude<ConstructKind, 'call' | 'solve'>;

const rules: { [K in Lowered]: (construct: ConstructOf<K>, site: Site) => readonly Located[] } = {
  literal: lowerLiteral,
  map: lowerMap,
  reduce: lowerReduce,
  scan: lowerScan,
  'segmented-scan': lowerSegmentedScan,
  histogram: lowerHistogram,
  'keyed-scan': lowerKeyedScan,
  recurrence: lowerRecurrence,
  history: lowerHistory,
  loop: lowerLoop,
  gather: lowerGather,
  scatter: lowerScatter,
  'sort-permutation': lowerSortPermutation,
  iota: lowerIota,
  replicate: lowerReplicate,
  reverse: lowerReverse,
  transpose: lowerTranspose,
  reshape: lowerReshape,
  slice: lowerSlice,
  concatenate: lowerConcatenate,
  matmul: lowerMatmul,
};

/** `varying`: the names of the inputs that change from run to run; all, unless given. */
export function lower(program: Program, varying?: ReadonlySet<string>): Plan {
  const lowering = new Lowering();
  const inputs = program.parameters.map(({ name, value }) => {
    const changes = varying?.has(name) ?? true;
    const home = changes ? lowering.run : lowering.prepare;
    const view = lowering.allocate(value.type.element, value.type.shape, home, 'input');
    return { view, port: { name, type: value.type, buffer: view.base as number, varying: changes } };
  });
  const located = lowerProgram(
    lowering,
    inlineCalls(program),
    inputs.map((input) => input.view),
    lowering.prepare,
  );
  const results = program.results.map(({ name, value }, i): Port => ({
    name,
    type: value.type,
    buffer: resultBuffer(lowering, located[i]!),
  }));
  const roles = new Set(results.map((result) => result.buffer));
  const buffers = lowering.buffers.map((buffer, id): Omit<PlanBuffer, 'lifetime'> =>
    roles.has(id) ? { ...buffer, role: 'result' } : buffer,
  );
  const prepare = lowering.prepare.steps;
  const run = lowering.run.steps;
  const plan = {
    buffers: withLifetimes(buffers, prepare, run),
    inputs: inputs.map((input) => input.port),
    results,
    prepare,
    run,
  };
  return { symbols: [...new Set(sizesOf(plan).flatMap(sizeSymbols))].sort(), ...plan };
}

/** A result stands dense in a buffer that is no input's: the caller may write inputs while it reads results. */
function resultBuffer(lowering: Lowering, located: Located): number {
  const dense = lowering.dense(located);
  if (lowering.buffers[dense.base]?.role !== 'input') return dense.base;
  const copy = lowering.allocate(located.element, located.shape, located.home);
  lowering.write(located.home, located, accessOf(copy));
  return copy.base as number;
}

/** `floor`: where steps go that depend on nothing, or that may fault and so must not run where they would not have. */
function lowerProgram(
  lowering: Lowering,
  program: Program,
  parameters: readonly Located[],
  floor: Block,
  updated: ReadonlySet<number> = new Set(),
): Located[] {
  const known = new Map<number, Located>();
  program.parameters.forEach(({ value }, i) => known.set(value.id, parameters[i]!));
  const find = (value: Value): Located => {
    const located = known.get(value.id);
    if (!located) throw new IrError(`lowering: value ${value.id} is used before it is defined`);
    return located;
  };
  const uses = usesOf(program);
  const readers = ({ id }: Value): Construct[] | undefined => {
    const found: Construct[] = [];
    for (const use of uses.get(id) ?? []) {
      if (use.kind === 'result') return undefined;
      found.push(program.statements[use.statement]!.construct);
    }
    return found;
  };
  for (const statement of program.statements) {
    const site = siteOf(lowering, statement, find, { readers, updated }, floor);
    const rule = rules[statement.construct.kind as Lowered] as (construct: Construct, site: Site) => readonly Located[];
    const results = rule(statement.construct, site);
    statement.results.forEach((value, i) => known.set(value.id, results[i]!));
  }
  return program.results.map((result) => find(result.value));
}

function siteOf(
  lowering: Lowering,
  statement: Statement,
  at: (value: Value) => Located,
  {
    readers,
    updated,
  }: { readonly readers: (value: Value) => Construct[] | undefined; readonly updated: ReadonlySet<number> },
  floor: Block,
): Site {
  const { construct, results, origin } = statement;
  const homes = operandsOf(construct).map((operand) => at(operand).home);
  if (mayFault(construct)) homes.push(floor);
  const home = homes.reduce((deepest, block) => (block.depth > deepest.depth ? block : deepest), lowering.prepare);
  return {
    lowering,
    home,
    origin,
    at,
    wanted: (result) => readers(results[result]!)?.length !== 0,
    readers: (result) => readers(results[result]!),
    inPlace: results.some(({ id }) => updated.has(id)),
    emit: (step) => home.steps.push(origin === undefined ? step : { ...step, origin }),
    allocate: (element, shape) => lowering.allocate(element, shape, home),
    source: (located, shape) => lowering.source(located, shape),
    access: (located, shape) => accessOf(broadcastInMemory(lowering, located, shape)),
    program: (inner, given, block = floor, inPlace) => lowerProgram(lowering, inner, given, block, inPlace),
  };
}

function broadcastInMemory(lowering: Lowering, located: Located, shape: Located['shape']) {
  return broadcastView(lowering.inMemory(located), shape) as ReturnType<Lowering['inMemory']>;
}

function mayFault(construct: Construct): boolean {
  switch (construct.kind) {
    case 'gather':
      return construct.outside === 'fault';
    case 'scatter':
      return construct.checked;
    case 'loop':
      return construct.body.statements.some((statement) => mayFault(statement.construct));
    default:
      return false;
  }
}
