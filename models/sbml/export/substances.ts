/**
 * Which values of a document are species, and in which compartments: what its `names` say of the file that it was imported from
 * (`amount(S)`, `concentration(S)`, `amount(C)` of a compartment), and else what reactions alone change, `per` nothing or one
 * constant block. Values are references (`k`, `model.S`).
 */
import type { Document } from '../../format/document.ts';
import type { FurtherNames } from '../../format/further-names.ts';
import type { Expression } from '../../formula/syntax.ts';

export interface Substance {
  /** What its symbol is. */
  readonly value: string;
  /** Its amount, where its symbol is a concentration that is made of it: the compartment may change. */
  readonly kept: string | undefined;
  /** Whether its symbol is an amount. */
  readonly isAmount: boolean;
  readonly compartment: string;
}

export interface Substances {
  /** By the reference of the symbol. */
  readonly species: ReadonlyMap<string, Substance>;
  readonly compartments: ReadonlySet<string>;
}

/** `formulaOf` is what a reference is a formula of, with references for names; undefined of one that is none. */
export function substancesIn(
  { names = {} }: Document,
  exists: (reference: string) => boolean,
  formulaOf: (reference: string) => Expression | undefined,
): Substances {
  const species = new Map<string, Substance>();
  const compartments = new Set<string>();
  for (const id of namedBy(names, 'concentration')) {
    const found = substance(names[`amount(${id})`], names[`concentration(${id})`], formulaOf);
    if (!found || !exists(found.value) || !exists(found.compartment) || species.has(found.value)) continue;
    species.set(found.value, found);
    compartments.add(found.compartment);
  }
  for (const id of namedBy(names, 'amount')) {
    const reference = names[`amount(${id})`];
    if (typeof reference !== 'string' || Object.hasOwn(names, `concentration(${id})`)) continue;
    if (exists(reference) && !species.has(reference)) compartments.add(reference);
  }
  return { species, compartments };
}

const namedBy = (names: FurtherNames, form: string): string[] =>
  Object.keys(names).flatMap((name) =>
    name.startsWith(`${form}(`) && name.endsWith(')') ? [name.slice(form.length + 1, -1)] : [],
  );

type Named = FurtherNames[string] | undefined;

function substance(
  amount: Named,
  concentration: Named,
  formulaOf: (reference: string) => Expression | undefined,
): Substance | undefined {
  if (typeof amount === 'string' && typeof concentration === 'string') {
    const made = formulaOf(concentration);
    if (made?.kind !== 'binary' || made.operator !== '/') return undefined;
    const { left, right } = made;
    if (left.kind !== 'name' || right.kind !== 'name' || left.name !== amount) return undefined;
    return { value: concentration, kept: amount, isAmount: false, compartment: right.name };
  }
  const [value, other, formula] =
    typeof amount === 'string' ? [amount, concentration, 'value/size'] : [concentration, amount, 'value*size'];
  if (typeof value !== 'string' || typeof other !== 'object' || other.formula !== formula) return undefined;
  const compartment = other.inputs['size'];
  if (other.inputs['value'] !== value || compartment === undefined) return undefined;
  return { value, kept: undefined, isAmount: typeof amount === 'string', compartment };
}
