/** An axis of Chart.js that is divided as `models/notation/scales.ts` says: reciprocal, symlog. */
import { LinearScale } from 'chart.js';
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

  override getPixelForValue(value: number | null): number {
    const { to } = this.#places;
    return this.getPixelForDecimal((to(Number(value)) - to(this.min)) / (to(this.max) - to(this.min)));
  }

  override getValueForPixel(pixel: number): number {
    const { to, from } = this.#places;
    return from(to(this.min) + this.getDecimalForPixel(pixel) * (to(this.max) - to(this.min)));
  }
}
