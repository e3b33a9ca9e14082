/** Terms of an objective whose data can be drawn again. */
import type { ProgramBuilder, Shape, Value } from '../../engine/index.ts';
import type { Again, SampledTerm } from './term.ts';

/** Elements, each as often as it counts. */
export function counted(b: ProgramBuilder, terms: Value, { counts }: Again): Value {
  return counts ? b.apply('mul', counts, terms) : terms;
}

export function whole(b: ProgramBuilder, value: Value, shape: Shape): Value {
  return b.elementwise([value], (_, x) => x, shape);
}

/** The term with its observations and arguments broadcast to the shape. */
export function sampledTerm(b: ProgramBuilder, shape: Shape, term: Omit<SampledTerm, 'shape'>): SampledTerm {
  const broadcast = (value: Value): Value => whole(b, value, shape);
  return { ...term, shape, observed: broadcast(term.observed), arguments: term.arguments.map(broadcast) };
}
