/** Of `ht`: what it is asked with, and what is written to its programs. */
import * as v from 'valibot';
import { ANGLES, FINGERS, limbsOf } from './ht-order.ts';

const matrix = v.array(v.array(v.number()));
const integers = v.array(v.pipe(v.number(), v.integer()));

const model = v.object({
  ...{ parents: integers, is_mirrored: v.boolean(), triangles: v.array(integers) },
  ...{ base_relatives: v.array(matrix), inverse_base_absolutes: v.array(matrix) },
  ...{ base_positions: matrix, weights: matrix },
});

export const schema = v.object({
  theta: v.pipe(v.array(v.number()), v.length(26)),
  data: v.object({ model, correspondences: integers, points: matrix }),
  us: matrix,
});

export type Hand = v.InferOutput<typeof schema>;

export const TURN = 'turn';
export const SHIFT = 'shift';
export const fingers = Array.from({ length: FINGERS }, (_, i) => `finger ${i}`);
/** θ in the order of its elements. */
export const THETA = [TURN, SHIFT, ...fingers];
export const US = ['us 0', 'us 1'];
export const ofLimb = (i: number, name: string): string => `${name} of limb ${i}`;

const columns = (of: readonly number[][]): number[][] => (of[0] ?? []).map((_, j) => of.map((row) => row[j]!));

export function inputs({ theta, us, data: { model, correspondences, points } }: Hand) {
  const weights = columns(model.weights);
  const limbs = limbsOf(model.parents).flatMap(({ bones, parents, angles, ...limb }, i) => {
    const of = <T>(table: readonly T[]): T[] => bones.map((bone) => table[bone]!);
    const own: Record<string, readonly number[]> = {
      ...{ relatives: of(model.base_relatives).flat(2), inverses: of(model.inverse_base_absolutes).flat(2) },
      ...{ weights: of(weights).flat(), ...(limb.fingers.length > 0 && { angles }) },
      ...Object.fromEntries(parents.map((level, depth) => [`parents ${depth}`, level])),
    };
    return Object.entries(own).map(([name, values]) => [ofLimb(i, name), values] as const);
  });
  return {
    ...{ [TURN]: theta.slice(0, 3), [SHIFT]: theta.slice(3, 6), correspondences, points: points.flat() },
    ...Object.fromEntries(fingers.map((name, i) => [name, theta.slice(6 + ANGLES * i, 6 + ANGLES * (i + 1))])),
    ...{ positions: columns(model.base_positions).flat(), ...Object.fromEntries(limbs) },
    ...(us.length > 0 && {
      ...{ triangles: model.triangles.flat() },
      ...Object.fromEntries(columns(us).map((column, i) => [US[i]!, column])),
    }),
  };
}
