/**
 * What a lane, or a chunk, of a long scan knows: nothing, or the value of its elements, which may have begun with their
 * segment, and may be in doubt (joins.ts).
 */
import type { Operator } from '../../../0-ir/operators.ts';
import { sizeProduct } from '../../../0-ir/sizes.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { declareDoubt, mayBeInDoubt } from './joins.ts';
import type { KernelWriter } from '../wgsl/kernel-writer.ts';
import type { Tuple } from './tuple.ts';

const partialText = `
struct Partial { value: Tuple, state: u32 }
const filled = 1u;
const anew = 2u;
const doubtful = 4u;
fn append(a: Partial, b: Partial) -> Partial {
  if (b.state == 0u) { return a; }
  if (a.state == 0u || (b.state & anew) != 0u) { return b; }
  return Partial(combine(a.value, b.value), a.state);
}`;

const certainJoin = `
fn join(a: Partial, b: Partial) -> Partial { return append(a, b); }`;
const doubtfulJoin = `
fn join(a: Partial, b: Partial) -> Partial {
  var joined = append(a, b);
  if (a.state != 0u && b.state != 0u && (b.state & anew) == 0u) {
    joined.state |= (b.state & doubtful) | select(0u, doubtful, in_doubt(a.value, b.value, joined.value));
  }
  return joined;
}`;

/**
 * shared_partials[lane] = own₀ ⊙ … ⊙ own_lane, each time from the lane that is twice as far to the left; or, of those from
 * the lane on, to the right.
 */
export function inclusiveLanes(lanes: number, from: 'left' | 'right' = 'left'): string[] {
  const further = {
    left: 'if (lane >= apart) { joined = join(shared_partials[lane - apart], joined); }',
    right: `if (lane + apart < ${lanes}) { joined = join(joined, shared_partials[lane + apart]); }`,
  };
  return [
    'shared_partials[lane] = own;',
    'workgroupBarrier();',
    `for (var apart = 1; apart < ${lanes}; apart *= 2) {`,
    '  var joined = shared_partials[lane];',
    `  ${further[from]}`,
    '  workgroupBarrier();',
    '  shared_partials[lane] = joined;',
    '  workgroupBarrier();',
    '}',
  ];
}

/** `append(a, b)`, where b is one element; `join(a, b)`, where both are the partials of several. */
export function declarePartials(writer: KernelWriter, operator: Operator, lanes: number): void {
  writer.declare(partialText);
  if (mayBeInDoubt(operator)) declareDoubt(writer, operator);
  writer.declare(mayBeInDoubt(operator) ? doubtfulJoin : certainJoin);
  writer.declare(`var<workgroup> shared_partials: array<Partial, ${lanes}>;`);
}

type Chunked = Pick<ScanStep, 'domain' | 'axis'>;

/** Scratch `area`: for each of `count` chunks of each result its state, then its components, each a run of its own. */
function partialPlaces(
  writer: KernelWriter,
  step: Chunked,
  at: string,
  area: number,
  count: string,
): { state: string; value: string; stride: string } {
  const stride = `(${writer.size(sizeProduct(withoutAxis(step.domain, step.axis)))} * ${count})`;
  const state = `${writer.scratch(area)} + ${at}`;
  return { state, value: `${state} + ${stride}`, stride };
}

export function storePartial(
  writer: KernelWriter,
  tuple: Tuple,
  step: Chunked,
  at: string,
  partial: string,
  area = 0,
  count = writer.word(0),
): string[] {
  const { state, value, stride } = partialPlaces(writer, step, at, area, count);
  return [`arena[${state}] = ${partial}.state;`, ...tuple.store(tuple.packed(value, stride), `${partial}.value`)];
}

export function loadPartial(
  writer: KernelWriter,
  tuple: Tuple,
  step: Chunked,
  at: string,
  area = 0,
  count = writer.word(0),
): string {
  const { state, value, stride } = partialPlaces(writer, step, at, area, count);
  return `Partial(${tuple.load(tuple.packed(value, stride))}, arena[${state}])`;
}
