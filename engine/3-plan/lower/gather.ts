import type { Construct, ConstructKind, ConstructOf } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { broadcastShape } from '../../0-ir/types.ts';
import { coalesce } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Gathered, type Located } from '../view.ts';

/** So many readers may look rows up for themselves, which saves writing and reading them. */
const MOST_READERS = 2;
const lookers: ReadonlySet<ConstructKind> = new Set(['map', 'reduce', 'histogram', 'keyed-scan']);

export function lowerGather(c: ConstructOf<'gather'>, site: Site): Located[] {
  const from = site.at(c.from);
  const indices = site.at(c.indices);
  const inPlace = whereRead(c, site, from, indices);
  if (inPlace) return [inPlace];
  const batch = broadcastShape(from.shape.slice(0, c.batch), indices.shape.slice(0, c.batch))!;
  const index = indices.shape.slice(c.batch);
  const trailing = from.shape.slice(c.batch + 1);
  const domain = [...batch, ...index, ...trailing];

  const rows = from.shape[c.batch]!;
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
    rowStride: table.strides[c.batch]!,
    indices: coalesced.over(indicesOverDomain),
    outside: c.outside,
    output: coalesced.over(accessOf(result)),
  });
  return [result];
}

/**
 * Rows of a list are looked up where they are read, if that is in a few kernels that read each of them once; rows of several
 * elements only in maps. What depends on no varying input is written all the same: it is looked up once then, not in every run.
 */
function whereRead(c: ConstructOf<'gather'>, site: Site, from: Located, indices: Located): Gathered | undefined {
  const { outside } = c;
  const { element } = from;
  const readers = site.readers(0);
  if (site.home.depth === 0 || c.batch > 0) return undefined;
  if (outside === 'fault' || element === 'bool' || indices.kind !== 'view' || indices.base === 'index')
    return undefined;
  const [rows, ...trailing] = from.shape as [Size, ...Size[]];
  const looks = ({ kind }: Construct): boolean => (trailing.length > 0 ? kind === 'map' : lookers.has(kind));
  if (!readers || readers.length > MOST_READERS || !readers.every(looks)) return undefined;
  const list = site.lowering.inMemory(from);
  const shape = [...indices.shape, ...trailing];
  const over = { shape, home: site.home };
  const index = { ...indices, ...over, strides: [...indices.strides, ...trailing.map(() => 0)] };
  const first = { ...list, ...over, strides: [...indices.shape.map(() => 0), ...list.strides.slice(1)] };
  return { kind: 'gathered', element, ...over, index, first, stride: list.strides[0]!, rows, outside };
}
