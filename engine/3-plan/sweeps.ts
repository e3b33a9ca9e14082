/**
 * scan ⊙ xs from one end, scan ⊗ ys from the other, and a map of both = sweep (⊙, xs) (⊗, ys) f: where one scan's results are
 * read by the epilogue of another that runs the other way, and by nothing else, they are never written. So the derivative of a
 * reduction with a general operator (prefixes, suffixes and what is between them) writes the adjoint and nothing else.
 *
 * A plan becomes a plan; which devices ask for it is theirs to say.
 */
import { arity, componentTypes } from '../0-ir/operators.ts';
import { parameterTypes, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import { sizeAdd, sizeMultiply, sizeSubtract, type Size } from '../0-ir/sizes.ts';
import type { ElementType } from '../0-ir/types.ts';
import { readParameters } from '../1-optimize/scalar/dead-code.ts';
import { simplifyFunction } from '../1-optimize/scalar/simplify-function.ts';
import { withLifetimes } from './lifetimes.ts';
import type { Access, BufferId, Plan, ScanStep, Source, Step, SweepStep, SweptScan } from './plan.ts';
import { sourceElement, sourceSlots } from './sources.ts';
import { buffersOf } from './step-parts.ts';

/** `suits`: which scans the device would rather run in a sweep. */
export function withSweeps(plan: Plan, suits: (step: ScanStep) => boolean = () => true): Plan {
  const gone = new Set<BufferId>();
  const readers = readersOf([...plan.prepare, ...plan.run]);
  const isOwn = (buffer: BufferId): boolean =>
    plan.buffers[buffer]?.role === 'temporary' && (readers.get(buffer) ?? 0) === 1;
  const visit = (steps: readonly Step[]): Step[] => {
    const result = [...steps];
    for (let at = 0; at < result.length; at++) {
      const second = result[at]!;
      if (second.kind === 'loop') {
        result[at] = { ...second, steps: visit(second.steps) };
        continue;
      }
      if (second.kind !== 'scan' || !suits(second)) continue;
      const from = result.findIndex(
        (first, i) =>
          i < at &&
          first.kind === 'scan' &&
          suits(first) &&
          first.outputs.every(({ buffer }) => isOwn(buffer)) &&
          staysTrue(first, result.slice(i + 1, at)),
      );
      const first = result[from];
      const sweep = first?.kind === 'scan' ? sweepOf(first, second) : undefined;
      if (first?.kind !== 'scan' || !sweep) continue;
      first.outputs.forEach(({ buffer }) => gone.add(buffer));
      result[at] = sweep;
      result.splice(from, 1);
      at--;
    }
    return result;
  };
  const [prepare, run] = [visit(plan.prepare), visit(plan.run)];
  if (gone.size === 0) return plan;
  const buffers = plan.buffers.map((buffer, id) => (gone.has(id) ? { ...buffer, length: 0 } : buffer));
  return { ...plan, buffers: withLifetimes(buffers, prepare, run), prepare, run };
}

/** How many steps read each buffer. */
function readersOf(steps: readonly Step[]): Map<BufferId, number> {
  const counts = new Map<BufferId, number>();
  const visit = (step: Step): void => {
    if (step.kind === 'loop') step.steps.forEach(visit);
    else for (const buffer of buffersOf(step).reads) counts.set(buffer, (counts.get(buffer) ?? 0) + 1);
  };
  steps.forEach(visit);
  return counts;
}

/** Whether a step may wait until these have run: they write nothing that it reads. */
function staysTrue(step: Step, others: readonly Step[]): boolean {
  const { reads } = buffersOf(step);
  return others.every((other) => [...buffersOf(other).writes].every((buffer) => !reads.has(buffer)));
}

function sweepOf(first: ScanStep, second: ScanStep): SweepStep | undefined {
  const { epilogue, axis } = second;
  const isAlike = first.axis === axis && first.domain.join() === second.domain.join();
  if (!isAlike || !epilogue || first.flags || second.flags) return undefined;
  const turn = turnedAlong(axis, second.domain[axis]!);
  const places = new Map(first.outputs.map((output, i) => [placeKey(turn(output)), i]));
  const ids = new Set(first.outputs.map(({ buffer }) => buffer));
  const isFirst = (source: Source) => source.kind !== 'index' && ids.has(source.buffer);
  const found = epilogue.inputs.map((source) => (isFirst(source) ? places.get(placeKey(source)) : undefined));
  const isMissed = epilogue.inputs.some((source, i) => isFirst(source) && found[i] === undefined);
  if (isMissed || second.inputs.some(isFirst) || !found.some((place) => place !== undefined)) return undefined;

  const made = first.epilogue ?? { function: identityFunction(componentTypes(first.operator)), inputs: [] };
  const { inputs, slotOf } = sourceSlots();
  const before = made.inputs.map((source) => slotOf(turn(source)));
  const beside = epilogue.inputs.map((source, i) => (found[i] === undefined ? slotOf(source) : -1));
  const isTurned = second.outputs[0]?.strides[axis] === -1;
  const [d1, d2] = [arity(first.operator), arity(second.operator)];
  const types: ElementType[] = [
    ...componentTypes((isTurned ? first : second).operator),
    ...componentTypes((isTurned ? second : first).operator),
    ...inputs.map(sourceElement),
  ];
  const whole = scalarFunction(types, (s, ...given) => {
    const own = given.slice(d1 + d2);
    const [a, b] = isTurned ? [given.slice(0, d1), given.slice(d1, d1 + d2)] : [given.slice(d2), given.slice(0, d2)];
    const ys = s.inline(made.function, [...a.slice(0, d1), ...before.map((slot) => own[slot] as ScalarOperand)]);
    return s.inline(epilogue.function, [
      ...b,
      ...found.map((place, i) => (place === undefined ? own[beside[i]!] : ys[place])!),
    ]);
  });
  const fn = simplifyFunction(whole);
  if (!readsBoth(fn, isTurned ? d1 : d2, isTurned ? d2 : d1)) return undefined;

  // In the direction in which most of memory is read and written from its beginning.
  const straight = <A extends Source | Access>(access: A): A => (isTurned ? turn(access) : access);
  const other = <A extends Source | Access>(access: A): A => (isTurned ? access : turn(access));
  const [one, two] = [sweptScan(first, other), sweptScan(second, straight)];
  return {
    kind: 'sweep',
    domain: second.domain,
    axis,
    along: isTurned ? one : two,
    against: isTurned ? two : one,
    epilogue: { function: fn, inputs: inputs.map(straight) },
    outputs: second.outputs.map(straight),
    ...(second.origin !== undefined && { origin: second.origin }),
  };
}

function readsBoth(fn: ScalarFunction, along: number, against: number): boolean {
  const isRead = readParameters(fn).slice(0, parameterTypes(fn).length);
  return isRead.slice(0, along).includes(true) && isRead.slice(along, along + against).includes(true);
}

function sweptScan(
  { inputs, prologue, operator, exclusive }: ScanStep,
  access: <A extends Source>(source: A) => A,
): SweptScan {
  return { inputs: inputs.map(access), ...(prologue && { prologue }), operator, exclusive };
}

/** The same from the last place of the axis to the first. */
function turnedAlong(axis: number, length: Size) {
  return <A extends Source | Access>(access: A): A => {
    const stride = access.strides[axis]!;
    return {
      ...access,
      offset: sizeAdd(access.offset, sizeMultiply(sizeSubtract(length, 1), stride)),
      strides: access.strides.map((each, i) => (i === axis ? sizeMultiply(-1, each) : each)),
    };
  };
}

function placeKey(access: Source | Access): string {
  const { offset, strides } = access;
  return JSON.stringify(['buffer' in access && access.buffer, offset, strides]);
}
