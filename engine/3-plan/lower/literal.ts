import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import type { Located } from '../view.ts';

/** A literal is in no buffer: kernels that read it have it written into their functions. */
export function lowerLiteral({ element, value }: ConstructOf<'literal'>, site: Site): Located[] {
  return [site.lowering.constant(element, value)];
}
