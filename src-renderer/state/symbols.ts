/** Names as symbols: a parameter `ke` is k with the subscript e, `alpha` is α, `curve` is a word and stands upright. */
import { nameToTex } from '../../models/formula/tex.ts';

/** The name with its subscript set off: `ke` as `k_e`. Only parameters are read so; `dt` stays a word. */
export function symbolName(name: string): string {
  const [, letter, tail] = /^([A-Za-z])([A-Za-z0-9]{1,2})$/.exec(name) ?? [];
  return letter === undefined || /^(pi|mu|nu|xi)$/.test(name) ? name : `${letter}_${tail}`;
}

export function symbolTex(name: string, parameter = false): string {
  return nameToTex(parameter ? symbolName(name) : name);
}

/** Whether the name stands upright, as a word does: then it needs no typesetting. */
export function isWord(name: string): boolean {
  return symbolTex(name, true).startsWith('\\mathrm');
}
