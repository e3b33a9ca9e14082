/**
 * The names in a formula: which are reserved, and which are inputs.
 */
import { formulaConstants } from './constants.ts';
import { functionNames } from './functions.ts';
import { walk, type Formula } from './syntax.ts';

/** What may be neither an id nor an argument of an operator nor a name that a formula defines. */
export const reservedNames: readonly string[] = [
  ...functionNames,
  ...Object.keys(formulaConstants),
  'index',
  'true',
  'false',
  'and',
  'or',
  'not',
];

const reserved = new Set(reservedNames);

export function isReservedName(name: string): boolean {
  return reserved.has(name);
}

/** How letters that an id cannot have are spelled where there is room for ASCII alone; others lose their accents. */
const spelled: ReadonlyMap<string, string> = new Map([
  ...([
    ['ä', 'ae'],
    ['ö', 'oe'],
    ['ü', 'ue'],
    ['ß', 'ss'],
    ['æ', 'ae'],
    ['ø', 'oe'],
    ['å', 'aa'],
    ['µ', 'u'],
    ['μ', 'mu'],
    ['α', 'alpha'],
    ['β', 'beta'],
    ['γ', 'gamma'],
    ['δ', 'delta'],
    ['λ', 'lambda'],
    ['σ', 'sigma'],
    ['τ', 'tau'],
    ['ω', 'omega'],
  ] as const),
]);

export function inAscii(text: string): string {
  const plain = text.normalize('NFC').replace(/\p{L}|µ/gu, (letter) => {
    const found = spelled.get(letter) ?? spelled.get(letter.toLowerCase());
    if (found === undefined) return letter;
    return letter === letter.toLowerCase() ? found : `${found[0]!.toUpperCase()}${found.slice(1)}`;
  });
  return plain.normalize('NFD').replace(/\p{Mn}/gu, '');
}

/** A header as an id: `Conc. (mg/L)` becomes `Conc_mg_L`, `Aktivität` `Aktivitaet`. */
export function asId(header: string): string {
  const id = inAscii(header)
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Za-z_]/.test(id) ? id : `c_${id}`;
}

/** What a compiled formula takes: an input's element, the element's position, or an input's size along axis 0. */
export type Port =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'index' }
  | { readonly kind: 'length'; readonly name: string };

export function portKey(port: Port): string {
  return port.kind === 'index' ? 'index' : `${port.kind} ${port.name}`;
}

/** The ports of formulas that are compiled together, in the order of their first use. */
export function formulaPorts(formulas: readonly Formula[]): Port[] {
  const ports = new Map<string, Port>();
  for (const formula of formulas) for (const port of uses(formula)) ports.set(portKey(port), port);
  return [...ports.values()];
}

/** The names that a formula takes from outside, those inside `length` too, in the order of their first use. */
export function freeNames(...formulas: readonly Formula[]): string[] {
  return [...new Set(formulaPorts(formulas).flatMap((port) => (port.kind === 'index' ? [] : [port.name])))];
}

/** Asked for several times while a document is checked, of which there may be a hundred thousand formulas. */
const found = new WeakMap<Formula, readonly Port[]>();

function uses(formula: Formula): readonly Port[] {
  const known = found.get(formula);
  if (known) return known;
  const ports = [...usesIn(formula)];
  found.set(formula, ports);
  return ports;
}

function* usesIn(formula: Formula): Generator<Port> {
  const local = new Set(formula.definitions.map((definition) => definition.name));
  for (const expression of [...formula.definitions.map((definition) => definition.value), formula.result]) {
    const measured = new Set<unknown>();
    for (const node of walk(expression)) {
      if (node.kind === 'call' && node.name === 'length' && node.operands[0]?.kind === 'name') {
        measured.add(node.operands[0]);
        if (!local.has(node.operands[0].name)) yield { kind: 'length', name: node.operands[0].name };
      }
      if (node.kind !== 'name' || measured.has(node)) continue;
      if (node.name === 'index') yield { kind: 'index' };
      else if (!reserved.has(node.name) && !local.has(node.name)) yield { kind: 'name', name: node.name };
    }
  }
}
