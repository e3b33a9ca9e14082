/** Blocks in an order in which each stands after all that it takes, and the cycles that keep some from having one. */
export interface Order<T> {
  readonly sorted: readonly T[];
  /** Each member depends on the next, and the last on the first. */
  readonly cycles: readonly (readonly T[])[];
}

/** Stable: of several that could come next, the first in `items` does. What depends on a cycle is in neither list. */
export function topologicalOrder<T>(items: readonly T[], dependencies: (item: T) => readonly T[]): Order<T> {
  const waiting = new Map<T, number>();
  const dependents = new Map<T, T[]>();
  for (const item of items) {
    const unique = withoutRepeats(dependencies(item));
    waiting.set(item, unique.length);
    for (const dependency of unique) {
      const others = dependents.get(dependency);
      if (others) others.push(item);
      else dependents.set(dependency, [item]);
    }
  }
  const sorted = items.filter((item) => waiting.get(item) === 0);
  for (let at = 0; at < sorted.length; at++)
    for (const dependent of dependents.get(sorted[at]!) ?? []) {
      const left = waiting.get(dependent)! - 1;
      waiting.set(dependent, left);
      if (left === 0) sorted.push(dependent);
    }
  const remaining = new Set(items.filter((item) => waiting.get(item)! > 0));
  return { sorted, cycles: findCycles(remaining, dependencies) };
}

const withoutRepeats = <T>(items: readonly T[]): readonly T[] => (items.length < 2 ? items : [...new Set(items)]);

/** Everything that remains takes something that remains, so a walk from any of it runs into a cycle. */
function findCycles<T>(remaining: ReadonlySet<T>, dependencies: (item: T) => readonly T[]): T[][] {
  const cycles: T[][] = [];
  const visited = new Set<T>();
  for (const start of remaining) {
    const walk: T[] = [];
    let item: T | undefined = start;
    while (item !== undefined && !visited.has(item)) {
      visited.add(item);
      walk.push(item);
      item = dependencies(item).find((dependency) => remaining.has(dependency));
    }
    const begin = item === undefined ? -1 : walk.indexOf(item);
    if (begin >= 0) cycles.push(walk.slice(begin));
  }
  return cycles;
}
