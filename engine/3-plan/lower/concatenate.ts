import type { ConstructOf, Value } from '../../0-ir/program.ts';
import { sizeAdd, sizeMultiply, sizeSubtract, type Size } from '../../0-ir/sizes.ts';
import type { Shape } from '../../0-ir/types.ts';
import type { Site } from '../lowering.ts';
import { accessOf, reshapeView, sliceView, type Constant, type Extended, type Located, type View } from '../view.ts';

/** Each part is copied to its place in one buffer; but one element more at an end of a list, or of rows, is no copy. */
export function lowerConcatenate({ values, axis }: ConstructOf<'concatenate'>, site: Site): Located[] {
  const [first] = values as [Value, ...Value[]];
  const lengths = values.map((value) => value.type.shape[axis]!);
  const total = lengths.reduce<Size>(sizeAdd, 0);
  const shape = first.type.shape.map((size, other) => (other === axis ? total : size));
  const extended = values.length === 2 ? extend(values.map(site.at), shape, axis, site) : undefined;
  if (extended) return [extended];
  const result = site.allocate(first.type.element, shape);
  let start: Size = 0;
  values.forEach((value, i) => {
    const part = sliceView(result, axis, start, lengths[i]!, 1) as typeof result;
    site.lowering.write(site.home, site.at(value), accessOf(part), site.origin);
    start = sizeAdd(start, lengths[i]!);
  });
  return [result];
}

/**
 * An element and a list, or a list and an element: how a scan's results move up or down by one. Of rows the edge is the same
 * number in each.
 */
function extend(parts: readonly Located[], shape: Shape, axis: number, { home }: Site): Extended | undefined {
  const edgeAt = parts.findIndex((part) => isDirect(part) && part.shape[axis] === 1);
  const [edge, inner] = [parts[edgeAt], parts[1 - edgeAt]];
  if (edge === undefined || !isDirect(edge) || inner?.kind !== 'view' || inner.shape[axis] === 1) return undefined;
  if (shape.length > 1 && edge.kind !== 'constant') return undefined;
  const place = { shape, home };
  const stride = inner.strides[axis]!;
  // What is read next to a row's end is the next row, or next to the array's end, where there must still be memory.
  if (stride !== 1 && stride !== -1 && stride !== 0) return undefined;
  const isFirst = edgeAt === 0;
  return {
    ...{ kind: 'extended', element: inner.element, ...place },
    inner: { ...inner, ...place, offset: isFirst ? sizeAdd(inner.offset, sizeMultiply(-1, stride)) : inner.offset },
    index: {
      ...{ kind: 'view', element: 'int', ...place, base: 'index' },
      offset: isFirst ? 0 : sizeSubtract(1, shape[axis]!),
      strides: shape.map((_, other) => Number(other === axis)),
    },
    // Of rank 0, so that it goes with whatever shape the whole is read in.
    edge: reshapeView(edge, []) as View | Constant,
  };
}

function isDirect(located: Located): located is View | Constant {
  return located.kind === 'view' || located.kind === 'constant';
}
