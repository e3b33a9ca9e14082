/**
 * Which values of a document are species, and in which compartments: what its `names` say of the file that it was imported from
 * (`amount(S)`, `concentration(S)`, `amount(C)` of a compartment), and else what reactions alone change, `per` nothing or one
 * constant block. Values are references (`k`, `model.S`).
 */
import type { FurtherNames } from '../../format/further-names.ts';
import { writtenOut } from '../written-out.ts';
import { valueOf, type References } from './references.ts';

/** The compartment of species that say of none. */
export const nowhere = '';

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

/** `isChanged`: whether reactions change a state. `names`: of the document, unless the file is one that others speak of. */
export function substancesIn(
  references: References,
  isChanged: (state: string) => boolean,
  names: FurtherNames = {},
): Substances {
  const species = new Map<string, Substance>();
  const compartments = new Set<string>();
  for (const id of namedBy(names, 'concentration')) {
    const found = substance(names[`amount(${id})`], names[`concentration(${id})`], references);
    if (!found || !references.stands(found.value) || !references.stands(found.compartment)) continue;
    if (species.has(found.value)) continue;
    species.set(found.value, found);
    compartments.add(found.compartment);
  }
  for (const id of namedBy(names, 'amount')) {
    const reference = names[`amount(${id})`];
    if (typeof reference !== 'string' || Object.hasOwn(names, `concentration(${id})`)) continue;
    if (references.stands(reference) && !species.has(reference)) compartments.add(reference);
  }
  const named = new Set([...species.values()].flatMap(({ value, kept }) => [value, kept]));
  for (const [state, { rate, per }] of Object.entries(references.ode?.state ?? {})) {
    const value = references.outputOf(state);
    if (named.has(value) || compartments.has(value) || !isStill(rate) || !isChanged(state)) continue;
    const parsed = per === undefined ? undefined : writtenOut(per);
    const home = parsed?.kind === 'name' && !references.isOwn(parsed.name) ? parsed.name : undefined;
    if (per !== undefined && valueOf(references.blocks.get(home ?? '')) === undefined) continue;
    const compartment = home ?? nowhere;
    species.set(value, { value, kept: undefined, isAmount: per === undefined, compartment });
    compartments.add(compartment);
  }
  return { species, compartments };
}

/** Of a state that nothing but reactions changes. */
export const isStill = (rate: string | undefined): boolean => rate === undefined || rate.trim() === '0';

const namedBy = (names: FurtherNames, form: string): string[] =>
  Object.keys(names).flatMap((name) =>
    name.startsWith(`${form}(`) && name.endsWith(')') ? [name.slice(form.length + 1, -1)] : [],
  );

type Named = FurtherNames[string] | undefined;

function substance(amount: Named, concentration: Named, references: References): Substance | undefined {
  if (typeof amount === 'string' && typeof concentration === 'string') {
    const made = references.formulaOf(concentration);
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
