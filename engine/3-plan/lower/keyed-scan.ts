import { componentTypes } from '../../0-ir/operators.ts';
import type { ConstructOf } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import type { Shape } from '../../0-ir/types.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import type { Access } from '../plan.ts';
import { accessOf, broadcastView, reverseView, type Located, type View } from '../view.ts';
import { elements, epilogueOf } from './combining.ts';

/** A reverse one is a forward one whose accesses over the domain, in and out, begin at the end. */
export function lowerKeyedScan(c: ConstructOf<'keyed-scan'>, site: Site): Located[] {
  const types = componentTypes(c.operator);
  const trailing = c.shape.slice(c.batch + 1);
  const keyShape = c.shape.slice(0, c.batch + 1);
  const contents = [...c.shape.slice(0, c.batch), c.bins, ...trailing];
  const turn = <L extends Located>(located: L, shape: Shape): L =>
    c.reverse ? (reverseView(broadcastView(located, shape), c.batch) as L) : located;

  const epilogue = epilogueOf(c, site, (located) => turn(located, c.shape));
  const shownTypes = epilogue ? resultTypes(epilogue.function) : types;
  const shown = shownTypes.length;
  const { inputs, ...prologue } = elements(c, site, (located) => turn(located, c.shape));
  const keys = site.source(turn(site.at(c.keys), keyShape), keyShape);
  const keysOverDomain = { ...keys, strides: [...keys.strides, ...trailing.map(() => 0)] };
  const initial = c.initial?.map((value) => site.source(site.at(value), contents));
  const after = epilogue?.inputs ?? [];
  const results = [
    ...shownTypes.map((element) => site.allocate(element, c.shape)),
    ...types.map((element) => site.allocate(element, contents)),
  ];
  const written = results.map((result, i): Access | null => {
    if (!site.wanted(i)) return null;
    return accessOf(i < shown ? turn<View>(result, c.shape) : result);
  });
  const { domain, axis, over } = coalesce(
    c.shape,
    [c.batch],
    [...inputs, ...after, keysOverDomain, ...(initial ?? []), ...written.filter((access) => access !== null)],
  );
  const outputs = written.map((access) => access && over(access));
  const batch = axis(c.batch);
  const coalescedKeys = over(keysOverDomain);
  site.emit({
    kind: 'keyed-scan',
    domain,
    batch,
    bins: c.bins,
    exclusive: c.exclusive,
    inputs: inputs.map(over),
    ...prologue,
    operator: c.operator,
    keys: { ...coalescedKeys, strides: coalescedKeys.strides.slice(0, batch + 1) },
    ...(initial && { initial: initial.map(over) }),
    ...(epilogue && { epilogue: { function: epilogue.function, inputs: after.map(over) } }),
    running: outputs.slice(0, shown),
    totals: outputs.slice(shown),
  });
  return results;
}
