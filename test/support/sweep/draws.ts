/** Sizes and elements on which a case of the sweep is run. */
import type { Program } from '../../../engine/0-ir/program.ts';
import { sizeValue } from '../../../engine/0-ir/sizes.ts';
import { randomNumbers, type Inputs } from '../derivatives.ts';
import type { Range, SweepCase } from './case.ts';

export interface Sizes {
  readonly [symbol: string]: number;
  readonly n: number;
  readonly m: number;
  readonly bins: number;
}

/** How the elements of a draw are chosen. */
export const flavours = ['plain', 'few values', 'with zeros'] as const;
export type Flavour = (typeof flavours)[number];

/** Steps of 2⁻¹⁰: sums are exact in f32 too, so no comparison depends on the precision. */
const grid = 1024;

/** A list for every parameter. What differentiation has added (cotangents, tangents) is plain and in [-1, 1]. */
export function drawInputs(
  { ranges, neutral }: SweepCase,
  program: Program,
  sizes: Sizes,
  seed: number,
  flavour: Flavour,
): Map<string, number[]> {
  const random = randomNumbers(seed);
  const keyed = keys(random, sizes);
  return new Map(
    program.parameters.map(({ name, value }) => {
      const length = value.type.shape.reduce<number>((n, size) => n * sizeValue(size, sizes), 1);
      const added = /^(cotangent|tangent) of /.test(name);
      const [low, high] = added ? [-1, 1] : (ranges.get(name) ?? ([-1.5, 1.5] satisfies Range));
      const draw = {
        real: () => {
          const u = random();
          const v = added || flavour !== 'few values' ? u : Math.floor(3 * u) / 2;
          const x = low + (high - low) * v;
          if (!added && flavour === 'with zeros' && random() < 0.3) return 0;
          return Math.round(near(neutral.get(name), x, sizes.n) * grid) / grid;
        },
        int: keyed,
        bool: () => (random() < 0.3 ? 1 : 0),
      }[value.type.element];
      return [name, Array.from({ length }, draw)];
    }),
  );
}

/** The longer the axis, the nearer to the neutral element if that is a number. */
function near(neutral = NaN, x: number, n: number): number {
  return Number.isFinite(neutral) && n > 33 ? neutral + ((x - neutral) * 33) / n : x;
}

/** Keys: spread over the bins and one beyond at either end, all the same, mostly one, or in order. */
function keys(random: () => number, { bins }: Sizes): () => number {
  const spread = (): number => Math.floor((bins + 2) * random()) - 1;
  const one = spread();
  let next = -1;
  const kinds = [
    spread,
    spread,
    () => one,
    () => (random() < 0.9 ? one : spread()),
    () => (random() < 0.3 ? ++next : next),
  ];
  return kinds[Math.floor(kinds.length * random())] ?? spread;
}

/** Whether central differences mean something here: no two elements are equal where that makes a kink. */
export function isSmooth({ ties, program }: SweepCase, inputs: Inputs): boolean {
  if (!ties) return true;
  const values = program.parameters
    .filter(({ value }) => value.type.element === 'real')
    .flatMap(({ name }) => inputs.get(name) ?? []);
  return new Set(values).size === values.length;
}
