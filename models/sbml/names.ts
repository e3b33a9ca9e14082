/** Ids of a file as ids of ours: the same where they can be. */
import { isIdentifier } from '../notation/names.ts';
import { isReservedName } from '../formula/names.ts';

export interface Names {
  /** A name that is free, as near to `wanted` as can be. */
  fresh(wanted: string): string;
}

export function freshNames(taken: Iterable<string>): Names {
  const used = new Set(taken);
  return {
    fresh(wanted) {
      const plain = wanted.replace(/[^A-Za-z0-9_]/g, '_');
      let name = isIdentifier(plain) ? plain : `_${plain}`;
      while (used.has(name) || isReservedName(name)) name += '_';
      used.add(name);
      return name;
    },
  };
}
