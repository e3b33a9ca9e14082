import type { ConstructOf } from '../../0-ir/program.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';

export function lowerSortPermutation(c: ConstructOf<'sort-permutation'>, site: Site): Located[] {
  const shape = c.keys.type.shape;
  const keys = site.source(site.at(c.keys), shape);
  const result = site.allocate('int', shape);
  const output = accessOf(result);
  const { domain, over } = coalesce(shape, [shape.length - 1], [keys, output]);
  site.emit({
    kind: 'sort',
    domain,
    keys: over(keys),
    ...(c.bound !== undefined && { bound: c.bound }),
    output: over(output),
    scratch: site.lowering.buffer('int', shape),
  });
  return [result];
}
