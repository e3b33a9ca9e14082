/**
 * Adjacent axes that every access walks as one become one, and axes of size 1 go, so that kernels see low ranks:
 * a map over dense [n, m, 3] is a map over [3*m*n]. The row-major order of the points stays.
 */
import { sizeProduct, type Size } from '../0-ir/sizes.ts';
import type { Shape } from '../0-ir/types.ts';
import { follows } from './view.ts';

interface Strided {
  readonly strides: readonly Size[];
  /** Rows of several elements are walked beside their indices. */
  readonly table?: Strided;
}

export interface Coalesced {
  readonly domain: Shape;
  /** Where an axis that stands alone has gone. */
  axis(old: number): number;
  /** The same access over the new domain. */
  over<A extends Strided>(access: A): A;
}

/** `alone`: axes that a step gives a meaning of their own. All accesses are over the whole domain. */
export function coalesce(domain: Shape, alone: readonly number[], given: readonly Strided[]): Coalesced {
  const accesses = given.flatMap((access) => (access.table ? [access, access.table] : [access]));
  const groups: number[][] = [];
  for (let axis = 0; axis < domain.length; axis++) {
    if (alone.includes(axis)) groups.push([axis]);
    else if (domain[axis] !== 1) {
      const last = groups.at(-1);
      const before = last?.at(-1);
      // An axis of size 1 between the two has been left out, so compare with the kept one's successor in the group.
      const joins =
        last !== undefined &&
        before !== undefined &&
        !alone.includes(before) &&
        accesses.every(({ strides }) =>
          follows([strides[before]!, strides[axis]!], [domain[before]!, domain[axis]!], 0),
        );
      if (joins) last.push(axis);
      else groups.push([axis]);
    }
  }
  return {
    domain: groups.map((group) => sizeProduct(group.map((axis) => domain[axis]!))),
    axis: (old) => groups.findIndex((group) => group[0] === old),
    over: (access) => restrided(access, (strides) => groups.map((group) => strides[group.at(-1)!]!)),
  };
}

function restrided<A extends Strided>(access: A, change: (strides: readonly Size[]) => readonly Size[]): A {
  const table = access.table && { ...access.table, strides: change(access.table.strides) };
  return { ...access, strides: change(access.strides), ...(table && { table }) };
}

/** An access that does not know an axis, over the domain that has it. */
export function insertAxis<A extends Strided>(access: A, axis: number): A {
  return restrided(access, (strides) => [...strides.slice(0, axis), 0, ...strides.slice(axis)]);
}

export function removeAxis<A extends Strided>(access: A, axis: number): A {
  return restrided(access, (strides) => strides.filter((_, other) => other !== axis));
}
