/**
 * The block of 32-bit words from which kernels read sizes, strides and addresses, so that a module serves every size.
 * The runtime fills it when sizes are bound.
 */
import type { Size } from '../../0-ir/sizes.ts';
import type { BufferId } from '../../3-plan/plan.ts';

export type Parameter =
  /** size · unit, modulo 2³²: byte strides may be negative. */
  | { readonly kind: 'size'; readonly size: Size; readonly unit: number }
  /** The byte address of element `offset` of a buffer. */
  | { readonly kind: 'address'; readonly buffer: BufferId; readonly offset: Size; readonly bytes: number }
  /** An address in the scratch that all phases of a step, and all threads, share. */
  | { readonly kind: 'shared'; readonly offset: Size };

/** Where memory begins, in bytes: the word that stops waiting kernels, then the parameters. */
export const STOP_AT = 0;
export const PARAMETERS_AT = 64;

export class ParameterTable {
  readonly list: Parameter[] = [];
  private readonly places = new Map<string, number>();

  /** The byte offset at which a parameter is read; equal ones share a word. */
  place(parameter: Parameter): number {
    const key = JSON.stringify(parameter);
    let place = this.places.get(key);
    if (place === undefined) {
      place = PARAMETERS_AT + 4 * this.list.length;
      this.list.push(parameter);
      this.places.set(key, place);
    }
    return place;
  }
}
