/** Names as symbols: a parameter `ke` is k with the subscript e, `tau` is τ, `top` is a word and stands upright. */
import { nameToTex } from '../../../models/formula/tex.ts';

/**
 * What is written as a letter with a subscript: rates, which are k, and constants in capitals, as `ke`, `kcat`, `Km`,
 * `Vmax`. Any other letters are a word, or Greek; digits are subscripts always.
 */
const subscripted = /^(?:(k)([a-z]|cat|deg|el|eq|in|obs|off|on|out)|([A-Z])([a-z]|cat|eq|max|min|obs))$/;
const greek = /^(?:Xi|Pi|Mu|Nu)$/;

/** The name with its subscript set off: `ke` as `k_e`. Only parameters are read so; `dt` stays a word. */
export function symbolName(name: string): string {
  const [, k, rate, capital, constant] = subscripted.exec(name) ?? [];
  const letter = k ?? capital;
  return letter === undefined || greek.test(name) ? name : `${letter}_${rate ?? constant}`;
}

export function symbolTex(name: string, parameter = false): string {
  return nameToTex(parameter ? symbolName(name) : name);
}

/** Whether the name stands upright, as a word does: then it needs no typesetting. */
export function isWord(name: string): boolean {
  return symbolTex(name, true).startsWith('\\mathrm');
}
