/** Under which names what a file speaks of is found in the document. */
import type { Along } from './along.ts';

/** A reference, or a formula over references. */
export type NamedOutput = string | { readonly formula: string; readonly inputs: Readonly<Record<string, string>> };

/** `ode` is the block of states; undefined where nothing changes by a rate, and every formula is a block. */
export function outputNames(along: Along, ode: string | undefined): Record<string, NamedOutput> {
  const { symbols } = along;
  const found = new Map<string, NamedOutput>();
  const inBlock = (id: string): boolean =>
    ode !== undefined && (symbols.role(id) !== 'constant' || along.amounts.has(id));
  const reference = (id: string): string => {
    const own = along.ids.get(id) ?? id;
    return inBlock(id) ? `${ode}.${own}` : own;
  };
  for (const id of symbols.roles.keys()) if (reference(id) !== id) found.set(id, reference(id));
  // Of a compartment nothing else can be meant than its size.
  for (const { id } of along.model.compartments) found.set(`amount(${id})`, reference(id));
  for (const species of symbols.species.values()) {
    const { id, compartment } = species;
    const amount = along.amounts.get(id);
    const isAmount = symbols.isAmount(species);
    const other = (formula: string): NamedOutput => ({
      formula,
      inputs: { value: reference(id), size: reference(compartment) },
    });
    const kept = symbols.role(id) === 'state' ? `${ode}.${amount}` : amount;
    found.set(
      `amount(${id})`,
      isAmount ? reference(id) : kept !== undefined && amount !== undefined ? kept : other('value*size'),
    );
    found.set(`concentration(${id})`, isAmount ? other('value/size') : reference(id));
  }
  for (const [alias, id] of along.model.aliases)
    for (const form of ['', 'amount', 'concentration']) {
      const named = (plain: string): string => (form === '' ? plain : `${form}(${plain})`);
      const known = found.get(named(id)) ?? (form === '' && symbols.role(id) !== undefined ? reference(id) : undefined);
      if (known !== undefined) found.set(named(alias), known);
    }
  return Object.fromEntries(found);
}
