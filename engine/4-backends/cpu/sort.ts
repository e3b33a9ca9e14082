import type { Size } from '../../0-ir/sizes.ts';
import type { Access, SortStep } from '../../3-plan/plan.ts';
import { sizeProduct } from '../../0-ir/sizes.ts';
import { accessCursor, lineOf, readAt, sourceCursor, type Line } from './access.ts';
import { forItems, forLine } from './items.ts';
import type { Kernel } from './kernel.ts';
import { add, apply, get, i32, load, select, type Expression, type Local } from './wasm/expression.ts';

const DIGIT_BITS = 8;
const DIGITS = 1 << DIGIT_BITS;

/**
 * output = the stable ascending order of keys along the last axis: radix sort from the lowest digit on. Each pass moves
 * the permutation between the output and the scratch; where the first begins, the last ends in the output.
 */
export function emitSort(k: Kernel, step: SortStep): void {
  const { f } = k;
  const axis = step.domain.length - 1;
  const length = k.size(step.domain[axis] as Size);
  const keys = lineOf(k, sourceCursor(k, step.keys), axis);
  const output = lineOf(k, accessCursor(k, step.output, 'int'), axis);
  const scratch = lineOf(k, accessCursor(k, denseAccess(step), 'int'), axis);
  const counts = k.scratch(4 * DIGITS);
  const passes = passCount(k, step);
  const [outputStride, scratchStride] = [k.size(output.stride, 4), k.size(scratch.stride, 4)];
  const [source, sourceStride, target, targetStride, shift] = ['', '', '', '', ''].map(() => f.local('i32')) as [
    Local,
    Local,
    Local,
    Local,
    Local,
  ];

  const items = [keys.item, output.item, scratch.item];
  forItems(k, step.domain.slice(0, -1), items, () => {
    const odd = apply('i32.and', get(passes), i32(1));
    f.set(source, select(get(scratch.item.at), get(output.item.at), odd));
    f.set(sourceStride, select(scratchStride, outputStride, odd));
    f.set(target, select(get(output.item.at), get(scratch.item.at), odd));
    f.set(targetStride, select(outputStride, scratchStride, odd));
    const at = f.keep(get(source));
    forLine(k, length, [], (place) => {
      f.store('i32.store', get(at), get(place));
      f.increase(at, get(sourceStride));
    });
    f.set(shift, i32(0));
    forLine(k, get(passes), [], () => {
      const digitOf = (index: Expression) => digit(k, keys, index, shift);
      countDigits(k, length, counts, source, sourceStride, digitOf);
      startPlaces(k, counts);
      move(k, length, counts, { source, sourceStride, target, targetStride }, digitOf);
      swap(k, source, target);
      swap(k, sourceStride, targetStride);
      f.increase(shift, i32(DIGIT_BITS));
    });
  });
}

/** 32 bits in four passes; keys below a bound b need ⌈log₂ b⌉ bits. */
function passCount(k: Kernel, { bound }: SortStep): Local {
  if (bound === undefined) return k.f.keep(i32(32 / DIGIT_BITS));
  const largest = k.f.keep(add(k.size(bound), i32(-1)));
  const bits = apply('i32.sub', i32(32), apply('i32.clz', get(largest)));
  const passes = apply('i32.shr_u', add(bits, i32(DIGIT_BITS - 1)), i32(3));
  return k.f.keep(select(passes, i32(0), apply('i32.gt_s', get(largest), i32(0))));
}

/** The byte offset of the digit's counter. The sign bit is flipped, so that negative keys come first. */
function digit(k: Kernel, keys: Line, index: Expression, shift: Local): Expression {
  const place = add(get(keys.item.at), apply('i32.mul', index, k.size(keys.stride, keys.item.unit)));
  const key = keys.item.element === 'index' ? place : readAt(k, 'int', place);
  const ordered = apply('i32.xor', key, i32(-2147483648));
  const value = apply('i32.and', apply('i32.shr_u', ordered, get(shift)), i32(DIGITS - 1));
  return apply('i32.shl', value, i32(2));
}

function countDigits(
  k: Kernel,
  length: Expression,
  counts: Expression,
  source: Local,
  stride: Local,
  digitOf: (index: Expression) => Expression,
): void {
  const { f } = k;
  forLine(k, i32(DIGITS), [], (place) =>
    f.store('i32.store', add(counts, apply('i32.shl', get(place), i32(2))), i32(0)),
  );
  const at = f.keep(get(source));
  forLine(k, length, [], () => {
    const counter = f.keep(add(counts, digitOf(load('i32.load', get(at)))));
    f.store('i32.store', get(counter), add(load('i32.load', get(counter)), i32(1)));
    f.increase(at, get(stride));
  });
}

/** Counts become the places at which each digit's elements begin. */
function startPlaces(k: Kernel, counts: Expression): void {
  const { f } = k;
  const total = f.keep(i32(0));
  const counter = f.keep(counts);
  forLine(k, i32(DIGITS), [], () => {
    const count = f.keep(load('i32.load', get(counter)));
    f.store('i32.store', get(counter), get(total));
    f.increase(total, get(count));
    f.increase(counter, i32(4));
  });
}

function move(
  k: Kernel,
  length: Expression,
  counts: Expression,
  { source, sourceStride, target, targetStride }: Record<'source' | 'sourceStride' | 'target' | 'targetStride', Local>,
  digitOf: (index: Expression) => Expression,
): void {
  const { f } = k;
  const at = f.keep(get(source));
  forLine(k, length, [], () => {
    const index = f.keep(load('i32.load', get(at)));
    const counter = f.keep(add(counts, digitOf(get(index))));
    const place = f.keep(load('i32.load', get(counter)));
    f.store('i32.store', add(get(target), apply('i32.mul', get(place), get(targetStride))), get(index));
    f.store('i32.store', get(counter), add(get(place), i32(1)));
    f.increase(at, get(sourceStride));
  });
}

function swap(k: Kernel, a: Local, b: Local): void {
  const kept = k.f.keep(get(a));
  k.f.set(a, get(b));
  k.f.set(b, get(kept));
}

function denseAccess({ domain, scratch }: SortStep): Access {
  return { buffer: scratch, offset: 0, strides: domain.map((_, axis) => sizeProduct(domain.slice(axis + 1))) };
}
