/** Ports of a key that takes one reference or several: `values` for one, `values.0`, `values.1`, … for a list of more. */
import { asList } from '../../notation/fields.ts';
import type { Wire } from '../kind.ts';

export function listPorts(key: string, refs: string | readonly string[]): string[] {
  const list = asList(refs);
  return list.length === 1 ? [key] : list.map((_, i) => `${key}.${i}`);
}

export function listWires(key: string, refs: string | readonly string[]): Wire[] {
  const ports = listPorts(key, refs);
  return asList(refs).map((ref, i) => ({ port: ports[i]!, ref }));
}
