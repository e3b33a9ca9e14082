import type { Operator } from '../../0-ir/operators.ts';
import { componentTypes } from '../../0-ir/operators.ts';
import type { Epilogue, Value } from '../../0-ir/program.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { identityFunction } from '../../0-ir/scalar-builder.ts';
import type { Shape } from '../../0-ir/types.ts';
import type { Site } from '../lowering.ts';
import type { Source } from '../plan.ts';
import type { Located } from '../view.ts';

/** The epilogue and what it reads at each point; `turn` as for `elements`. */
export function epilogueOf(
  { epilogue, shape }: { readonly epilogue?: Epilogue; readonly shape: Shape },
  site: Site,
  turn: (located: Located) => Located,
): { function: ScalarFunction; inputs: Source[] } | undefined {
  if (!epilogue) return undefined;
  const read = epilogue.inputs.map((value) => turn(site.at(value)));
  const { function: fn, inputs } = site.lowering.fold(epilogue.function, read, shape);
  return { function: fn, inputs };
}

interface Combining {
  readonly operator: Operator;
  readonly prologue?: ScalarFunction;
  readonly shape: Shape;
  readonly inputs: readonly Value[];
}

/**
 * The elements that reduce, scan and histogram combine. A constant among them needs a prologue to stand in.
 * `turn` is applied to each operand over the domain (a reverse scan reads from the end).
 */
export function elements(
  c: Combining,
  site: Site,
  turn: (located: Located) => Located,
): { inputs: Source[]; prologue?: ScalarFunction } {
  const given = c.prologue ?? identityFunction(componentTypes(c.operator));
  const { function: fn, inputs, changed } = site.lowering.fold(given, c.inputs.map(site.at).map(turn), c.shape);
  return { inputs, ...((c.prologue || changed) && { prologue: fn }) };
}
