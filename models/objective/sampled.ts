/** Terms of an objective whose data can be drawn again. */
import type { ProgramBuilder, Shape, Value } from '../../engine/index.ts';
import type { Again, SampledTerm } from './term.ts';

/** Elements, each as often as it counts. */
export function counted(b: ProgramBuilder, terms: Value, { counts }: Again): Value {
  return counts ? b.apply('mul', counts, terms) : terms;
}

/** The term with its observations and arguments broadcast to the shape. */
export function sampledTerm(b: ProgramBuilder, shape: Shape, term: Omit<SampledTerm, 'shape'>): SampledTerm {
  const whole = (value: Value): Value => b.elementwise([value], (_, x) => x, shape);
  return { ...term, shape, observed: whole(term.observed), arguments: term.arguments.map(whole) };
}
