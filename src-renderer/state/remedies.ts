/** Fixes that are one command. */
import { isReservedName } from '../../models/formula/names.ts';
import type { Problem } from '../../src-main/contract.ts';
import type { Command } from './commands.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { isRecord, own, positionOf } from './draft.ts';
import { isIdentifier } from './identifiers.ts';

export interface Remedy {
  readonly title: string;
  readonly command: Command;
}

/**
 * What the engine knows to change; else, where a formula names what no block is called: the parameter that was meant comes into
 * being above it.
 */
export function remedyOf(draft: Draft, problem: Problem): Remedy | undefined {
  if (problem.remedy) {
    const { title, changes } = problem.remedy;
    return { title, command: { type: 'change', what: title, changes } };
  }
  const { block: id, span, output } = problem;
  const block = draft.blocks.find((other) => other.id === id);
  if (id === undefined || !block || !span) return undefined;
  const formula = formulasOf(block).get(output ?? '') ?? [...formulasOf(block).values()][0];
  const name = formula?.slice(...span) ?? '';
  if (!isIdentifier(name) || isReservedName(name) || draft.blocks.some((other) => other.id === name)) return undefined;
  const [x, y] = positionOf(draft, id) ?? [0, 0];
  return {
    title: `Add parameter ${name}`,
    command: { type: 'add', blocks: [{ id: name, kind: 'parameter', initial: 1 }], positions: [[name, [x, y - 128]]] },
  };
}

/** By output or state; a single formula has the name ''. */
function formulasOf(block: BlockDraft): Map<string, string> {
  const formulas = new Map<string, string>();
  if (typeof block['formula'] === 'string') formulas.set('', block['formula']);
  for (const key of ['outputs', 'state'] as const) {
    const record = block[key];
    if (!isRecord(record)) continue;
    for (const [name, value] of Object.entries(record)) {
      const formula = typeof value === 'string' ? value : own(value, 'next');
      if (typeof formula === 'string') formulas.set(name, formula);
    }
  }
  return formulas;
}
