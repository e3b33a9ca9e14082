import type { ConstructOf } from '../../0-ir/program.ts';
import type { Site } from '../lowering.ts';
import type { Located } from '../view.ts';

/** The program's statements, lowered where the call stands. */
export function lowerCall({ program, inputs }: ConstructOf<'call'>, site: Site): Located[] {
  return site.program(program, inputs.map(site.at));
}
