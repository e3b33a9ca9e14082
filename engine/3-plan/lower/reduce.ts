import type { ConstructOf } from '../../0-ir/program.ts';
import { componentTypes } from '../../0-ir/operators.ts';
import { withoutAxis } from '../../0-ir/types.ts';
import { coalesce, insertAxis, removeAxis } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';
import { elements } from './combining.ts';

export function lowerReduce(c: ConstructOf<'reduce'>, site: Site): Located[] {
  const { inputs, ...prologue } = elements(c, site, (located) => located);
  const across = withoutAxis(c.shape, c.axis);
  const results = componentTypes(c.operator).map((element) => site.allocate(element, across));
  const outputs = results.map((result) => insertAxis(accessOf(result), c.axis));
  const coalesced = coalesce(c.shape, [c.axis], [...inputs, ...outputs]);
  const axis = coalesced.axis(c.axis);
  site.emit({
    kind: 'reduce',
    domain: coalesced.domain,
    axis,
    inputs: inputs.map(coalesced.over),
    ...prologue,
    operator: c.operator,
    outputs: outputs.map(coalesced.over).map((output) => removeAxis(output, axis)),
  });
  return results;
}
