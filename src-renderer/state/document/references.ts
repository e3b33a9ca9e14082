/**
 * What a block takes from outside itself: the references in its keys and the free names of its formulas. Names that the
 * block gives a meaning itself (its ports, its states, a solver's time) are its own and stay.
 */
import { freeNames, isReservedName } from '../../../models/formula/names.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import { walk } from '../../../models/formula/syntax.ts';
import type { BlockDraft } from './draft.ts';
import { isRecord, own, withEntry } from './draft.ts';
import { isIdentifier, namesInFormula, renameInFormula } from './identifiers.ts';
import { mapFormulas, mapReferences } from './wiring.ts';

/** Whether the block's formulas can take a block under another name, by `inputs`. */
export function takesPorts(block: BlockDraft): boolean {
  return block.kind === 'map' || block.kind === 'filter' || block.kind === 'quantity';
}

function ownNames(block: BlockDraft): ReadonlySet<string> {
  const keys = (record: unknown) => (isRecord(record) ? Object.keys(record) : []);
  return new Set(
    [block['inputs'], block['state'], block['unknown']]
      .flatMap(keys)
      .concat(block.kind === 'ode' ? ofSolver(block) : []),
  );
}

/** Time, formulas with names and the rates of reactions with names. */
function ofSolver({ formulas, reactions }: BlockDraft): string[] {
  const named = (Array.isArray(reactions) ? reactions : []).map((each: unknown) => own(each, 'name'));
  return [
    'time',
    ...Object.keys(isRecord(formulas) ? formulas : {}),
    ...named.filter((name) => typeof name === 'string'),
  ];
}

function freeNamesOf(formula: string): readonly string[] {
  const parsed = parseFormula(formula);
  if (parsed.ok) return freeNames(parsed.formula);
  // What is being typed need not be a formula yet.
  return [...namesInFormula(formula)].filter((name) => isIdentifier(name) && !isReservedName(name));
}

/** The free names of a block's formulas, each of which is wired to the block of that name. */
export function formulaReferences(block: BlockDraft): readonly string[] {
  const known = ownNames(block);
  const names = new Set<string>();
  mapFormulas(block, (formula) => {
    for (const name of freeNamesOf(formula)) if (!known.has(name)) names.add(name);
    return formula;
  });
  return [...names];
}

/** Everything that the block is wired to, each once. */
export function referencesOf(block: BlockDraft): readonly string[] {
  const references = new Set(formulaReferences(block));
  mapReferences(block, (reference) => {
    if (reference !== '') references.add(reference);
    return reference;
  });
  return [...references];
}

/** All names that a block's formulas mention or that are its own: a new id that is none of them captures nothing. */
export function namesMentioned(block: BlockDraft): ReadonlySet<string> {
  const names = new Set(ownNames(block));
  mapFormulas(block, (formula) => {
    for (const name of namesInFormula(formula)) names.add(name);
    return formula;
  });
  return names;
}

/**
 * The block wired to what `change` says instead; undefined takes a wire away. Formulas name the new sources; with
 * `keepPorts`, and where a formula cannot name one (`g.out`), the old name stays as a port that is wired to it.
 */
export function redirect(
  block: BlockDraft,
  change: (reference: string) => string | undefined,
  keepPorts = false,
): BlockDraft {
  // Blocks that nothing changes for keep their identity: they are not drawn again.
  if (referencesOf(block).every((reference) => change(reference) === reference)) return block;
  let result = mapReferences(block, change);
  const mentioned = namesMentioned(block);
  const renamed = new Map<string, string>();
  for (const name of formulaReferences(block)) {
    const to = change(name);
    if (to === name) continue;
    const asPort = takesPorts(block) && (keepPorts || to === undefined || !isIdentifier(to) || mentioned.has(to));
    if (asPort) result = { ...result, inputs: withEntry(result['inputs'], name, to ?? '') };
    else if (to !== undefined) renamed.set(name, to);
  }
  return renamed.size === 0 ? result : mapFormulas(result, (formula) => renameFree(formula, renamed));
}

/** All at once, so that two blocks may change names with each other. */
function renameFree(formula: string, names: ReadonlyMap<string, string>): string {
  const parsed = parseFormula(formula);
  if (!parsed.ok) return [...names].reduce((text, [from, to]) => renameInFormula(text, from, to), formula);
  const { definitions, result } = parsed.formula;
  const local = new Set(definitions.map((definition) => definition.name));
  const uses = [...definitions.map((definition) => definition.value), result]
    .flatMap((expression) => [...walk(expression)])
    .flatMap((node) => {
      if (node.kind !== 'name' && node.kind !== 'element') return [];
      const to = local.has(node.name) ? undefined : names.get(node.name);
      const { from, to: end } = node.kind === 'element' ? node.nameSpan : node;
      return to === undefined ? [] : [{ from, end, to }];
    })
    .sort((a, b) => b.from - a.from);
  return uses.reduce((text, { from, end, to }) => text.slice(0, from) + to + text.slice(end), formula);
}
