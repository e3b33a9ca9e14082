/** An axis of Chart.js that is divided as `models/notation/scales.ts` says: log, reciprocal, symlog. */
import { LinearScale, type Scale } from 'chart.js';
import { placesOn, type Places, type ScaleName } from '../../../models/notation/scales.ts';

interface Division {
  readonly division: ScaleName;
  /** As far as a symlog axis is linear. */
  readonly near: number;
}

export class DividedScale extends LinearScale {
  static override id = 'divided';
  static override defaults = LinearScale.defaults ?? {};

  get #places(): Places {
    const { division, near } = this.options as unknown as Division;
    return placesOn(division, [near]);
  }

  override buildTicks() {
    return this.#places.ticks(this.min, this.max).map((value) => ({ value }));
  }

  /** What has no place, as the lower end of an error bar, is beyond the beginning of the axis; null and NaN are nowhere. */
  override getPixelForValue(value: number | null): number {
    if (value === null || Number.isNaN(value)) return NaN;
    const { to } = this.#places;
    const share = (to(value) - to(this.min)) / (to(this.max) - to(this.min));
    return this.getPixelForDecimal(share === -Infinity ? 0 : share);
  }

  override getValueForPixel(pixel: number): number {
    const { to, from } = this.#places;
    return from(to(this.min) + this.getDecimalForPixel(pixel) * (to(this.max) - to(this.min)));
  }
}

/** What the zoom plugin gives of itself for axes of any division: a stretch between two pixels is what is looked at. */
type Looking<L> = (scale: Scale, from: number, to: number, limits: L) => boolean;

/** Looks more closely at an axis, `by` times, around a pixel that stays where it is. */
export const closerBy =
  <L>(look: Looking<L>) =>
  (scale: Scale, by: number, { x, y }: { readonly x: number; readonly y: number }, limits: L): boolean => {
    const across = scale.isHorizontal();
    const centre = across ? x : y;
    const ends = across ? [scale.left, scale.right] : [scale.top, scale.bottom];
    const [from, to] = ends.map((end) => centre + (end - centre) * (2 - by)) as [number, number];
    return look(scale, from, to, limits);
  };
