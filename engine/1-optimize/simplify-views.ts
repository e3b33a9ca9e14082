/**
 * Shape operations that undo, repeat or do nothing:
 *
 *     reverse (reverse x) = x        transpose p (transpose q x) = transpose (q∘p) x      reshape s (reshape t x) = reshape s x
 *     slice (slice x) = slice x      slice (concatenate (…, x, …)) = x where it is cut out    gather x (iota n) = x
 *
 * and whatever is done to one repeated element.
 */
import type { Construct, ConstructKind, ConstructOf, Value } from '../0-ir/program.ts';
import { sizeAdd, sizeMultiply, type Size } from '../0-ir/sizes.ts';
import { sameShape } from '../0-ir/types.ts';
import { rewriteForward, type Rewrite, type Scope } from './rewrite.ts';

type ViewKind = 'replicate' | 'reverse' | 'transpose' | 'reshape' | 'slice' | 'concatenate' | 'gather';
type ViewRule<K extends ConstructKind> = (construct: ConstructOf<K>, scope: Scope) => Construct | Value[] | undefined;

const rules: { [K in ViewKind]: ViewRule<K> } = {
  replicate(c, scope) {
    if (sameShape(c.value.type.shape, c.shape)) return [c.value];
    const inner = definitionOf(c.value, 'replicate', scope);
    return inner && { ...c, value: inner.value };
  },

  reverse(c, scope) {
    if (c.value.type.shape[c.axis] === 1 || isRepeatedAlong(c.value, c.axis, scope)) return [c.value];
    const inner = definitionOf(c.value, 'reverse', scope);
    return inner?.axis === c.axis ? [inner.value] : undefined;
  },

  transpose(c, scope) {
    if (c.permutation.every((axis, i) => axis === i)) return [c.value];
    const inner = definitionOf(c.value, 'transpose', scope);
    if (inner) return { ...inner, permutation: c.permutation.map((axis) => inner.permutation[axis]!) };
    const one = repeatedElement(c.value, scope);
    const shape = c.permutation.map((axis) => c.value.type.shape[axis]!);
    return one && { kind: 'replicate', value: one, shape };
  },

  reshape(c, scope) {
    if (sameShape(c.value.type.shape, c.shape)) return [c.value];
    const inner = definitionOf(c.value, 'reshape', scope);
    if (inner) return { ...c, value: inner.value };
    const one = repeatedElement(c.value, scope);
    return one && { kind: 'replicate', value: one, shape: c.shape };
  },

  slice(c, scope) {
    const { value, axis, start, length, step } = c;
    if (start === 0 && step === 1 && length === value.type.shape[axis]) return [value];
    const inner = definitionOf(value, 'slice', scope);
    if (inner?.axis === axis)
      return {
        ...inner,
        start: sizeAdd(inner.start, sizeMultiply(start, inner.step)),
        length,
        step: step * inner.step,
      };
    const whole = definitionOf(value, 'concatenate', scope);
    if (whole?.axis === axis && step === 1) return partAt(whole, start, length);
    const repeated = isRepeatedAlong(value, axis, scope) && definitionOf(value, 'replicate', scope);
    if (!repeated) return undefined;
    return { ...repeated, shape: value.type.shape.map((size, other) => (other === axis ? length : size)) };
  },

  concatenate: (c) => (c.values.length === 1 ? [...c.values] : undefined),

  gather(c, scope) {
    const indices = definitionOf(c.indices, 'iota', scope);
    return c.batch === 0 && indices && indices.length === c.from.type.shape[0] ? [c.from] : undefined;
  },
};

export const simplifyViews: Rewrite = (program, context) =>
  rewriteForward(program, context, ({ construct }, scope) => {
    const rule = (rules as Partial<Record<ConstructKind, ViewRule<ConstructKind>>>)[construct.kind];
    return rule?.(construct, scope);
  });

function definitionOf<K extends ConstructKind>(value: Value, kind: K, scope: Scope): ConstructOf<K> | undefined {
  const construct = scope.definition(value)?.construct;
  return construct?.kind === kind ? (construct as ConstructOf<K>) : undefined;
}

/** x where the value is replicate x and x is one element. */
function repeatedElement(value: Value, scope: Scope): Value | undefined {
  const inner = definitionOf(value, 'replicate', scope)?.value;
  return inner?.type.shape.length === 0 ? inner : undefined;
}

function isRepeatedAlong(value: Value, axis: number, scope: Scope): boolean {
  const inner = definitionOf(value, 'replicate', scope)?.value;
  if (!inner) return false;
  const own = inner.type.shape[axis - value.type.shape.length + inner.type.shape.length];
  return own === undefined || own === 1;
}

function partAt({ values, axis }: ConstructOf<'concatenate'>, start: Size, length: Size): Value[] | undefined {
  let at: Size = 0;
  for (const value of values) {
    const own = value.type.shape[axis]!;
    if (at === start && own === length) return [value];
    at = sizeAdd(at, own);
  }
  return undefined;
}
