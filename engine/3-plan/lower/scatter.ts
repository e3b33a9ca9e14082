import type { ConstructOf } from '../../0-ir/program.ts';
import { sizeMultiply, sizeProduct } from '../../0-ir/sizes.ts';
import { broadcastShape } from '../../0-ir/types.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, broadcastView, type Located } from '../view.ts';

/** `into` is copied to the target, unless it is the target, and the scatter step overwrites rows there. */
export function lowerScatter(c: ConstructOf<'scatter'>, site: Site): Located[] {
  const into = site.at(c.into);
  const indices = site.at(c.indices);
  const values = site.at(c.values);
  const operands = [into, indices, values];
  const batch = broadcastShape(...operands.map((located) => located.shape.slice(0, c.batch)))!;
  const rows = into.shape[c.batch]!;
  const trailing = into.shape.slice(c.batch + 1);
  const shape = [...batch, rows, ...trailing];
  const domain = [...batch, indices.shape[c.batch]!, ...trailing];

  const own = site.inPlace && into.kind === 'view' && into.base !== 'index' ? into : undefined;
  const result = own ?? site.allocate(into.element, shape);
  const target = accessOf(result);
  if (!own) site.lowering.write(site.home, broadcastView(into, shape), target, site.origin);

  const targetOverDomain = { ...target, strides: target.strides.map((stride, a) => (a === c.batch ? 0 : stride)) };
  const rowIndices = site.source(indices, domain.slice(0, c.batch + 1));
  const indicesOverDomain = { ...rowIndices, strides: [...rowIndices.strides, ...trailing.map(() => 0)] };
  const valueSource = site.source(values, domain);
  const coalesced = coalesce(domain, [c.batch], [targetOverDomain, indicesOverDomain, valueSource]);
  const scratch = () => site.lowering.buffer('int', [sizeMultiply(sizeProduct(batch), rows)]);
  site.emit({
    kind: 'scatter',
    domain: coalesced.domain,
    axis: coalesced.axis(c.batch),
    values: coalesced.over(valueSource),
    indices: coalesced.over(indicesOverDomain),
    rows,
    rowStride: target.strides[c.batch]!,
    target: coalesced.over(targetOverDomain),
    checked: c.checked ? { scratch: scratch() } : null,
  });
  return [result];
}
