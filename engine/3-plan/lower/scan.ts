import { componentTypes } from '../../0-ir/operators.ts';
import type { ConstructOf, Value } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, broadcastView, reverseView, type Located, type View } from '../view.ts';
import { elements, epilogueOf } from './combining.ts';

/** A reverse scan is a forward one whose accesses, in and out, begin at the end. */
export function lowerScan(
  c: Omit<ConstructOf<'scan'>, 'kind'>,
  site: Site,
  flagValue: Value | undefined = undefined,
): Located[] {
  const turn = <L extends Located>(located: L): L =>
    c.reverse ? (reverseView(broadcastView(located, c.shape), c.axis) as L) : located;
  const { inputs, ...prologue } = elements(c, site, turn);
  const epilogue = epilogueOf(c, site, turn);
  const after = epilogue?.inputs ?? [];
  const types = epilogue ? resultTypes(epilogue.function) : componentTypes(c.operator);
  const results = types.map((element) => site.allocate(element, c.shape));
  const outputs = results.map((result) => accessOf(turn<View>(result)));
  const flags = flagValue && site.source(turn(site.at(flagValue)), c.shape);
  const coalesced = coalesce(c.shape, [c.axis], [...inputs, ...after, ...outputs, ...(flags ? [flags] : [])]);
  site.emit({
    kind: 'scan',
    domain: coalesced.domain,
    axis: coalesced.axis(c.axis),
    inputs: inputs.map(coalesced.over),
    ...prologue,
    operator: c.operator,
    exclusive: c.exclusive,
    ...(flags && { flags: coalesced.over(flags) }),
    ...(epilogue && { epilogue: { function: epilogue.function, inputs: after.map(coalesced.over) } }),
    outputs: outputs.map(coalesced.over),
  });
  return results;
}
