import type { ConstructOf, Value } from '../../0-ir/program.ts';
import { sizeAdd, type Size } from '../../0-ir/sizes.ts';
import type { Site } from '../lowering.ts';
import { accessOf, sliceView, type Located } from '../view.ts';

/** Each part is copied to its place in one buffer. */
export function lowerConcatenate({ values, axis }: ConstructOf<'concatenate'>, site: Site): Located[] {
  const [first] = values as [Value, ...Value[]];
  const lengths = values.map((value) => value.type.shape[axis] as Size);
  const total = lengths.reduce<Size>(sizeAdd, 0);
  const shape = first.type.shape.map((size, other) => (other === axis ? total : size));
  const result = site.allocate(first.type.element, shape);
  let start: Size = 0;
  values.forEach((value, i) => {
    const part = sliceView(result, axis, start, lengths[i] as Size, 1) as typeof result;
    site.lowering.write(site.home, site.at(value), accessOf(part), site.origin);
    start = sizeAdd(start, lengths[i] as Size);
  });
  return [result];
}
