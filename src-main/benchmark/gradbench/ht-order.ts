/** Of `ht`: which bone hangs on which, and which parameters bend which. */

/** Roots, or a bone that hangs on one with all that hangs on it: what nothing in another limb moves, but for the roots. */
export interface Limb {
  /** By depth. */
  readonly bones: readonly number[];
  /** For each depth, which of those one above its bones hang on; the first on the roots. None of the roots themselves. */
  readonly parents: readonly (readonly number[])[];
  /** Those that bend it. */
  readonly fingers: readonly number[];
  /** Where the angles of each bone about x, z and y are among those fingers' parameters; −1 for an angle of 0. */
  readonly angles: readonly number[];
}

/** The roots, then the limbs that hang on them. A parent of −1 is none. */
export function limbsOf(parents: readonly number[]): Limb[] {
  const childrenOf = (above: readonly number[]): number[] =>
    [...parents.keys()].filter((bone) => above.includes(parents[bone]!));
  const roots = childrenOf([-1]);
  const limb = (first: number): Limb => {
    const levels = [roots, [first]];
    for (let next = childrenOf([first]); next.length > 0; next = childrenOf(next)) levels.push(next);
    const own = levels.slice(1);
    return {
      ...bending(own.flat()),
      parents: own.map((level, above) => level.map((bone) => levels[above]!.indexOf(parents[bone]!))),
    };
  };
  return [{ ...bending(roots), parents: [] }, ...childrenOf(roots).map(limb)];
}

export const [FINGERS, ANGLES] = [5, 4] as const;
const [JOINTS, FIRST_BONE] = [3, 2] as const;

function bending(bones: readonly number[]): Pick<Limb, 'bones' | 'fingers' | 'angles'> {
  const bent = bones.map(bentBy);
  const fingers = [...new Set(bent.flatMap((by) => (by ? [by.finger] : [])))];
  const angles = bent.flatMap((by) => {
    if (!by) return [-1, -1, -1];
    const first = ANGLES * fingers.indexOf(by.finger);
    return by.joint === 0 ? [first, first + 1, -1] : [first + by.joint + 1, -1, -1];
  });
  return { bones, fingers, angles };
}

/** Fingers have four bones each, of which the first is not bent. */
function bentBy(bone: number): { readonly finger: number; readonly joint: number } | undefined {
  const [finger, joint] = [Math.floor((bone - FIRST_BONE) / (JOINTS + 1)), (bone - FIRST_BONE) % (JOINTS + 1)];
  return bone < FIRST_BONE || finger >= FINGERS || joint === JOINTS ? undefined : { finger, joint };
}
