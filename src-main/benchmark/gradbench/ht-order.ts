/** Of `ht`: which bone hangs on which, and which parameter bends which. */

export interface Order {
  /** Bones by their depth below the root. */
  readonly bones: readonly number[];
  /** For each depth but the first: which of those one above, by their place there, its bones hang on. */
  readonly parents: readonly (readonly number[])[];
}

/** A parent of −1 is none. */
export function byDepth(parents: readonly number[]): Order {
  const levels: number[][] = [];
  const childrenOf = (above: readonly number[]): number[] =>
    [...parents.keys()].filter((bone) => above.includes(parents[bone]!));
  for (let level = childrenOf([-1]); level.length > 0; level = childrenOf(level)) levels.push(level);
  return {
    bones: levels.flat(),
    parents: levels.slice(1).map((level, above) => level.map((bone) => levels[above]!.indexOf(parents[bone]!))),
  };
}

const [FINGERS, JOINTS, FIRST_BONE, FIRST_ANGLE] = [5, 3, 2, 6] as const;

/** Which of θ are a bone's angles about x, z and y; −1 where it has none. Each finger begins with a bone that is not bent. */
export function anglesOf(bone: number): number[] {
  const [finger, joint] = [Math.floor((bone - FIRST_BONE) / (JOINTS + 1)), (bone - FIRST_BONE) % (JOINTS + 1)];
  if (bone < FIRST_BONE || finger >= FINGERS || joint === JOINTS) return [-1, -1, -1];
  const first = FIRST_ANGLE + (JOINTS + 1) * finger;
  return joint === 0 ? [first, first + 1, -1] : [first + joint + 1, -1, -1];
}
