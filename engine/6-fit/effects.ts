/**
 * Effects that are integrated out, and which of them meet. The −log of their joint density with the data is a sum over
 * groups, so its Hessian by the effects has a block for each outermost group and nothing between two of them. Levels are
 * nested, each group of one in one group of any coarser one, or they cross. Where they do, or where groups of one level meet
 * (as the times of a process do), all effects are one block.
 */

export interface EffectLevel {
  /** The block. */
  readonly id: string;
  /** The program's parameters, each an array of one element for each group. */
  readonly effects: readonly string[];
  readonly groups: number;
  /** What the groups are called. */
  readonly labels: readonly string[];
  /** For each coarser level, in their order: the group of it in which each group lies; none where it crosses one. */
  readonly within: readonly Int32Array[];
}

/** All effects in one vector b: level by level, effect by effect, group by group. */
export interface EffectLayout {
  /** The coarsest first. */
  readonly levels: readonly EffectLevel[];
  readonly effects: readonly PlacedEffect[];
  readonly length: number;
  /** Whether groups of two levels cross or those of one meet: all effects are then one block. */
  readonly dense: boolean;
  /** Positions in b of each outermost group's effects. */
  readonly blocks: readonly Int32Array[];
  /** Where each block's matrix begins in an array of all of them, and where the last one ends. */
  readonly corners: Int32Array;
  /** For each position of b: in its block, which row. */
  readonly row: Int32Array;
  /** For each position of b: which block. */
  readonly block: Int32Array;
}

export interface PlacedEffect {
  readonly name: string;
  readonly level: number;
  /** Of its first element. */
  readonly offset: number;
  readonly groups: number;
}

export const areCrossed = (levels: readonly EffectLevel[]): boolean =>
  levels.some(({ within }, level) => within.length < level);

/** `together`: groups of a level meet. */
export function effectLayout(levels: readonly EffectLevel[], together = false): EffectLayout {
  const effects: PlacedEffect[] = [];
  let length = 0;
  for (const [level, { effects: names, groups }] of levels.entries())
    for (const name of names) {
      effects.push({ name, level, offset: length, groups });
      length += groups;
    }
  const dense = together || areCrossed(levels);
  const blocks: number[][] = Array.from({ length: dense ? 1 : (levels[0]?.groups ?? 0) }, () => []);
  const [row, block] = [new Int32Array(length), new Int32Array(length)];
  for (const { level, offset, groups } of effects) {
    const outermost = levels[level]?.within[0];
    for (let g = 0; g < groups; g++) {
      const at = dense ? 0 : outermost && level > 0 ? outermost[g]! : g;
      block[offset + g] = at;
      row[offset + g] = blocks[at]!.push(offset + g) - 1;
    }
  }
  const corners = new Int32Array(blocks.length + 1);
  blocks.forEach((positions, t) => (corners[t + 1] = corners[t]! + positions.length ** 2));
  return {
    levels,
    effects,
    ...{ length, dense },
    blocks: blocks.map((positions) => Int32Array.from(positions)),
    corners,
    row,
    block,
  };
}

/** Two effects, the first no finer than the second, and for each group of the second the group of the first around it. */
export interface EffectPair {
  readonly outer: PlacedEffect;
  readonly inner: PlacedEffect;
  /** Undefined where both have the same groups. */
  readonly around: Int32Array | undefined;
}

/** Each pair whose second derivative is needed, once. */
export function effectPairs({ levels, effects }: EffectLayout): EffectPair[] {
  return effects.flatMap((outer, i) =>
    effects.slice(i).map((inner) => ({
      outer,
      inner,
      around: inner.level === outer.level ? undefined : levels[inner.level]?.within[outer.level],
    })),
  );
}
