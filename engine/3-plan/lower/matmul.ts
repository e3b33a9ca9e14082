import type { ConstructOf } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { broadcastShape } from '../../0-ir/types.ts';
import { coalesce, insertAxis, removeAxis } from '../coalesce.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';

/** output[…, i, j] = Σₖ left[…, i, k] · right[…, k, j] over the domain [batch…, m, n, k]. */
export function lowerMatmul(c: ConstructOf<'matmul'>, site: Site): Located[] {
  const left = site.at(c.left);
  const right = site.at(c.right);
  const rank = left.shape.length;
  const batch = broadcastShape(left.shape.slice(0, -2), right.shape.slice(0, -2))!;
  const [m, k] = left.shape.slice(-2) as [Size, Size];
  const n = right.shape.at(-1)!;

  const result = site.allocate('real', [...batch, m, n]);
  const leftAccess = insertAxis(site.access(left, [...batch, m, k]), rank - 1);
  const rightAccess = site.access(right, [...batch, k, n]);
  const [across, along] = rightAccess.strides.slice(-2) as [Size, Size];
  const rightOverDomain = { ...rightAccess, strides: [...rightAccess.strides.slice(0, -2), 0, along, across] };
  const output = insertAxis(accessOf(result), rank);
  const { domain, over } = coalesce(
    [...batch, m, n, k],
    [rank - 2, rank - 1, rank],
    [leftAccess, rightOverDomain, output],
  );
  site.emit({
    kind: 'matmul',
    domain,
    left: over(leftAccess),
    right: over(rightOverDomain),
    output: removeAxis(over(output), domain.length - 1),
  });
  return [result];
}
