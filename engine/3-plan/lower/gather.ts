import type { ConstructOf } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { broadcastShape, type Shape } from '../../0-ir/types.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';

export function lowerGather(c: ConstructOf<'gather'>, site: Site): Located[] {
  const from = site.at(c.from);
  const indices = site.at(c.indices);
  const batch = broadcastShape(from.shape.slice(0, c.batch), indices.shape.slice(0, c.batch)) as Shape;
  const index = indices.shape.slice(c.batch);
  const trailing = from.shape.slice(c.batch + 1);
  const domain = [...batch, ...index, ...trailing];

  const rows = from.shape[c.batch] as Size;
  const table = site.access(from, [...batch, rows, ...trailing]);
  const fromOverDomain = {
    ...table,
    strides: [...table.strides.slice(0, c.batch), ...index.map(() => 0), ...table.strides.slice(c.batch + 1)],
  };
  const rowIndices = site.source(indices, [...batch, ...index]);
  const indicesOverDomain = { ...rowIndices, strides: [...rowIndices.strides, ...trailing.map(() => 0)] };

  const result = site.allocate(from.element, domain);
  const coalesced = coalesce(domain, [], [fromOverDomain, indicesOverDomain, result]);
  site.emit({
    kind: 'gather',
    domain: coalesced.domain,
    from: coalesced.over(fromOverDomain),
    element: from.element,
    rows,
    rowStride: table.strides[c.batch] as Size,
    indices: coalesced.over(indicesOverDomain),
    outside: c.outside,
    output: coalesced.over(accessOf(result)),
  });
  return [result];
}
