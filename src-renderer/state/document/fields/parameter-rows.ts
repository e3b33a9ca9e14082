/** What a fit may vary, as one table: parameters, and what is tied to them by a formula. */
import { isReservedName } from '../../../../models/formula/names.ts';
import type { BlockChange } from '../commands.ts';
import type { BlockDraft, Draft } from '../draft.ts';
import { namesInFormula } from '../identifiers.ts';

export interface ParameterRow {
  readonly block: BlockDraft;
  /** Of a tied parameter: the formula that it follows. */
  readonly tie: string | undefined;
}

/** What only a parameter has: a formula in its place follows others. */
const parameterKeys = ['initial', 'like', 'lower', 'upper', 'fixed', 'scale', 'support', 'prior'];

/** A formula of parameters alone, with one value: where it stands for a parameter, that is tied to the others. */
function isTie(block: BlockDraft, parameters: ReadonlySet<string>): boolean {
  if (block.kind !== 'map' || typeof block['formula'] !== 'string') return false;
  const names = [...namesInFormula(block['formula'])].filter((name) => !isReservedName(name));
  return names.length > 0 && names.every((name) => parameters.has(name));
}

/** In the order of the document; ties follow what they are tied to, so several steps of ties are found too. */
export function parameterRows({ blocks }: Draft): ParameterRow[] {
  const known = new Set(blocks.filter(({ kind }) => kind === 'parameter').map(({ id }) => id));
  for (let before = -1; before !== known.size;) {
    before = known.size;
    for (const block of blocks) if (isTie(block, known)) known.add(block.id);
  }
  return blocks
    .filter(({ id }) => known.has(id))
    .map((block) => ({ block, tie: block.kind === 'parameter' ? undefined : String(block['formula']) }));
}

/** The parameter becomes a formula of others under its own name: every wire stays. */
export function tied({ id }: BlockDraft, formula: string): BlockChange {
  const keys = Object.fromEntries(parameterKeys.map((key) => [key, undefined]));
  return { block: id, keys: { ...keys, kind: 'map', formula } };
}

/** It is a parameter again, which begins where the formula left it. */
export function untied({ id }: BlockDraft, initial: number): BlockChange {
  return { block: id, keys: { kind: 'parameter', formula: undefined, initial } };
}
