/**
 * Where a profile meets the critical value, between a value that is not excluded and one that is: false position whose
 * kept end is weighed down, so that both ends come in (Illinois), since τ is close to a line; halving where that is slow.
 *
 * τ is continuous in the value held, wherever the model is. So a bracket that closes on a jump has an excluded end whose
 * search went astray. From the other end of a narrow bracket a search that only goes down cannot: it is tried before
 * a value counts as excluded that lies off the line.
 */
import type { Held, Reached } from './profile-others.ts';

/** Off the line by more than this share of the bracket's rise, an excluded value is doubted. */
const doubt = 0.05;
/** Of the critical value: more than this across a closed bracket is a jump. */
const jump = 1e-2;
const mostSteps = 100;
/** So many searches one after the other that end off what is wanted, by more than this share of the way to the nearer end. */
const mostAstray = 6;
const aside = 0.3;
/** Than what is near elsewhere. */
const finer = 10;

export type Crossing =
  | { readonly kind: 'crossing'; readonly u: number; readonly inside: Reached }
  | { readonly kind: 'jump'; readonly inside: Reached }
  | { readonly kind: 'edge' };

/** The least τ at u from what is expected there and from a point beside it that is known, of which the first that comes below `enough` will do. */
export type SearchNear = (
  u: number,
  near: readonly [expected: Float64Array, known: Float64Array],
  enough: number,
) => Promise<Reached>;

export async function crossingBetween(
  { start, resolution }: Pick<Held<never>, 'start' | 'resolution'>,
  inside: Reached,
  outside: Reached,
  critical: number,
  search: SearchNear,
): Promise<Crossing> {
  let [a, b] = [inside, outside];
  let [fa, fb] = [a.root - critical, b.root - critical];
  let kept = 0;
  let width = Infinity;
  let astray = 0;
  const end = (u: number): Crossing => ({ kind: 'crossing', u, inside: a });
  for (let k = 0; k < mostSteps; k++) {
    // Where τ still differs across it, the distance from the start tells little of how near is near.
    const isSteep = b.root - a.root > jump * critical;
    const closed = Math.abs(b.u - a.u) <= (isSteep ? resolution / finer : resolution) * Math.abs(b.u - start);
    const line = (a.u * fb - b.u * fa) / (fb - fa);
    // Every third step halves at least.
    const slow = k % 3 === 2 && Math.abs(b.u - a.u) > width / 2;
    if (k % 3 === 2) width = Math.abs(b.u - a.u);
    // Far out τ may be so large that the line meets the critical value at the other end, to rounding.
    const u = slow || line === a.u || line === b.u ? (a.u + b.u) / 2 : line;
    if (closed || !Number.isFinite(u) || u === a.u || u === b.u) break;
    const share = (u - a.u) / (b.u - a.u);
    const between = a.point.map((value, i) => value + share * (b.point[i]! - value));
    const expected = a.root + share * (b.root - a.root);
    const near = Math.max(critical, expected + doubt * (b.root - a.root));
    const found = await search(u, [between, a.point], near);
    if (!Number.isFinite(found.root)) return { kind: 'edge' };
    // A quantity that cannot be what lies between is found beside it, again and again: there is nothing to be met.
    const off = Math.abs(found.u - u);
    const isThere =
      off <= (resolution / finer) * Math.abs(b.u - start) ||
      off <= Math.abs(b.u - a.u) * Math.min(share, 1 - share) * aside;
    astray = isThere ? 0 : astray + 1;
    if (astray === mostAstray) break;
    const f = found.root - critical;
    if (Math.abs(f) < 1e-10 * critical) return end(found.u);
    if (f < 0) {
      [a, fa] = [found, f];
      if (kept === -1) fb /= 2;
      kept = -1;
    } else {
      [b, fb] = [found, f];
      if (kept === 1) fa /= 2;
      kept = 1;
    }
  }
  if (b.root - a.root > jump * critical) return { kind: 'jump', inside: a };
  return end(b.root > a.root ? a.u + ((critical - a.root) / (b.root - a.root)) * (b.u - a.u) : a.u);
}
