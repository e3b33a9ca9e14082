import { componentTypes } from '../../0-ir/operators.ts';
import type { ConstructOf } from '../../0-ir/program.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';
import { elements } from './combining.ts';

export function lowerHistogram(c: ConstructOf<'histogram'>, site: Site): Located[] {
  const trailing = c.shape.slice(c.batch + 1);
  const shape = [...c.shape.slice(0, c.batch), c.bins, ...trailing];
  const { inputs, ...prologue } = elements(c, site, (located) => located);
  const keys = site.source(site.at(c.keys), c.shape.slice(0, c.batch + 1));
  const keysOverDomain = { ...keys, strides: [...keys.strides, ...trailing.map(() => 0)] };
  const initial = c.initial?.map((value) => site.source(site.at(value), shape));
  const results = componentTypes(c.operator).map((element) => site.allocate(element, shape));
  const outputs = results.map(accessOf);
  const { domain, axis, over } = coalesce(
    c.shape,
    [c.batch],
    [...inputs, keysOverDomain, ...(initial ?? []), ...outputs],
  );
  const batch = axis(c.batch);
  const coalescedKeys = over(keysOverDomain);
  site.emit({
    kind: 'histogram',
    domain,
    batch,
    bins: c.bins,
    inputs: inputs.map(over),
    ...prologue,
    operator: c.operator,
    keys: { ...coalescedKeys, strides: coalescedKeys.strides.slice(0, batch + 1) },
    ...(initial && { initial: initial.map(over) }),
    outputs: outputs.map(over),
  });
  return results;
}
