/** What the inputs of a construct over a domain are, seen through the broadcasting that the domain does by itself. */
import type { Value } from '../0-ir/program.ts';
import { sameShape, type Shape } from '../0-ir/types.ts';
import type { Scope } from './rewrite.ts';

export function underReplicates(value: Value, scope: Scope): Value {
  const definition = scope.definition(value)?.construct;
  if (definition?.kind !== 'replicate' && definition?.kind !== 'reshape') return value;
  // A reshape that only adds axes of size 1 in front is a broadcast too.
  const inner = definition.value;
  const stretches = definition.kind === 'replicate' || isPadded(definition.shape, inner.type.shape);
  return stretches ? underReplicates(inner, scope) : value;
}

function isPadded(shape: Shape, inner: Shape): boolean {
  const front = shape.length - inner.length;
  return front >= 0 && sameShape(shape.slice(front), inner) && shape.slice(0, front).every((size) => size === 1);
}
