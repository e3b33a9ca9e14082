/** Magnitudes as colour and width, on one logarithmic scale: what the adjoint view draws its wires by. */

/** Powers of ten: where the scale begins and ends. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

/** What is smaller than the largest by more is drawn as the smallest: four decades are as many as a colour can tell. */
const mostDecades = 4;
const narrowest = 1.25;
const widest = 7;

/** From the least to the largest magnitude, in whole half decades. A magnitude that is 0 or not finite has no place on it. */
export function scaleOf(magnitudes: readonly number[]): Scale {
  const powers = magnitudes.filter((m) => m > 0 && Number.isFinite(m)).map((m) => Math.log10(m));
  if (powers.length === 0) return { low: -1, high: 1 };
  const high = Math.ceil(Math.max(...powers) * 2) / 2;
  const low = Math.floor(Math.min(...powers) * 2) / 2;
  return { low: Math.max(Math.min(low, high - 1), high - mostDecades), high };
}

/** From 0 at the scale's low end to 1 at its high end; what lies beyond stays at the end. */
export function placeOn({ low, high }: Scale, magnitude: number): number {
  if (!(magnitude > 0)) return 0;
  return Math.min(1, Math.max(0, (Math.log10(magnitude) - low) / (high - low)));
}

/** In pixels. */
export function widthAt(place: number): number {
  return narrowest + place * (widest - narrowest);
}

/** The tokens `--mag-0` … `--mag-4`, mixed so that lightness runs evenly. */
export function colorAt(place: number): string {
  const at = Math.min(place * 4, 3.999);
  const below = Math.floor(at);
  const share = Math.round((1 - (at - below)) * 100);
  return `color-mix(in oklab, var(--mag-${below}) ${share}%, var(--mag-${below + 1}))`;
}

/** Round numbers along the scale, at most six: 0.1, 0.3, 1, 3, 10, or the whole decades of a long one. */
export function ticksOf({ low, high }: Scale): readonly number[] {
  const all: number[] = [];
  for (let power = Math.floor(low); power <= Math.ceil(high); power++) {
    for (const factor of high - low > 2.5 ? [1] : [1, 3]) {
      const value = Number(`${factor}e${power}`);
      const at = Math.log10(value);
      if (at >= low - 0.03 && at <= high + 0.03) all.push(value);
    }
  }
  return all;
}
