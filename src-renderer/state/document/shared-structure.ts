/**
 * A value as the list of its distinct objects, so that what its parts share is written once and is shared again when it
 * is read: a history of a thousand drafts is little more than one. In the list an object stands as `[place]`.
 */
type Node = unknown;

export function pack(value: unknown): readonly Node[] {
  const places = new Map<object, number>();
  const nodes: Node[] = [];
  const write = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    const known = places.get(item);
    if (known !== undefined) return [known];
    const place = nodes.push(null) - 1;
    places.set(item, place);
    // fromEntries defines properties, so that `__proto__` becomes an entry like any other.
    nodes[place] = Array.isArray(item)
      ? item.map(write)
      : Object.fromEntries(Object.entries(item).map(([key, entry]) => [key, write(entry)]));
    return [place];
  };
  write(value);
  return nodes;
}

/** Throws a RangeError on what `pack` has not written. */
export function unpack(nodes: readonly Node[]): unknown {
  const made = new Map<number, unknown>();
  const inside = new Set<number>();
  const at = (place: unknown): unknown => {
    if (typeof place !== 'number' || inside.has(place) || !Object.hasOwn(nodes, place))
      throw new RangeError(`There is no object at ${String(place)}.`);
    if (made.has(place)) return made.get(place);
    inside.add(place);
    const node = nodes[place] as object;
    const object: unknown = Array.isArray(node)
      ? node.map(read)
      : Object.fromEntries(Object.entries(node).map(([key, entry]) => [key, read(entry)]));
    inside.delete(place);
    made.set(place, object);
    return object;
  };
  const read = (item: unknown): unknown => (Array.isArray(item) ? at(item[0]) : item);
  return at(0);
}
