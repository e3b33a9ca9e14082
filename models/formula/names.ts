/**
 * The names in a formula: which are reserved, and which are inputs.
 */
import { formulaConstants } from './constants.ts';
import { functionNames } from './functions.ts';
import { walk, type Formula, type Span } from './syntax.ts';

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

/** What a compiled formula takes: an input's element, the one element of an input that the formula names, the element's position, or an input's size along axis 0. */
export type Port =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'element'; readonly name: string; readonly at: number | string }
  | { readonly kind: 'index' }
  | { readonly kind: 'length'; readonly name: string };

export function portKey(port: Port): string {
  if (port.kind === 'element') return `element ${elementText(port)}`;
  return port.kind === 'index' ? 'index' : `${port.kind} ${port.name}`;
}

/** As formulas have it: `IC50[1]`, `IC50["CMP-001"]`. */
export const elementText = ({ name, at }: { readonly name: string; readonly at: number | string }): string =>
  `${name}[${typeof at === 'number' ? at : JSON.stringify(at)}]`;

/** A port, and where it stands first. */
interface Use {
  readonly port: Port;
  readonly at: Span;
}

/** The ports of formulas that are compiled together, in the order of their first use. */
export function formulaPorts(formulas: readonly Formula[]): Port[] {
  const ports = new Map<string, Port>();
  for (const formula of formulas) for (const { port } of uses(formula)) ports.set(portKey(port), port);
  return [...ports.values()];
}

/** The names that a formula takes from outside, those inside `length` too, in the order of their first use. */
export function freeNames(...formulas: readonly Formula[]): string[] {
  return [...new Set(formulas.flatMap((formula) => [...firstUses(formula).keys()]))];
}

/** The same of one formula, each with the place of its first use. */
export function firstUses(formula: Formula): Map<string, Span> {
  const first = new Map<string, Span>();
  for (const { port, at } of uses(formula))
    if (port.kind !== 'index' && !first.has(port.name)) first.set(port.name, at);
  return first;
}

/** Asked for several times while a document is checked, of which there may be a hundred thousand formulas. */
const found = new WeakMap<Formula, readonly Use[]>();

function uses(formula: Formula): readonly Use[] {
  const known = found.get(formula);
  if (known) return known;
  const ports = usesIn(formula);
  found.set(formula, ports);
  return ports;
}

function usesIn(formula: Formula): Use[] {
  const first: Use[] = [];
  const local = new Set(formula.definitions.map((definition) => definition.name));
  const measured = new Set<unknown>();
  for (const expression of [...formula.definitions.map((definition) => definition.value), formula.result]) {
    for (const node of walk(expression)) {
      if (node.kind === 'call' && node.name === 'length' && node.operands[0]?.kind === 'name') {
        const [at] = node.operands;
        measured.add(at);
        if (!local.has(at.name)) first.push({ port: { kind: 'length', name: at.name }, at });
      }
      if (node.kind === 'element') {
        const { name, at, nameSpan } = node;
        if (!local.has(name)) first.push({ port: { kind: 'element', name, at }, at: nameSpan });
      }
      if (node.kind !== 'name' || measured.has(node)) continue;
      const { name } = node;
      if (name === 'index') first.push({ port: { kind: 'index' }, at: node });
      else if (!reserved.has(name) && !local.has(name)) first.push({ port: { kind: 'name', name }, at: node });
    }
  }
  return first;
}
