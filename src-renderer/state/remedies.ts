/** Fixes that are one command. */
import type { Problem } from '../../src-main/contract.ts';
import type { Command } from './commands.ts';
import type { Draft } from './draft.ts';
import { positionOf } from './draft.ts';
import { isIdentifier } from './identifiers.ts';

export interface Remedy {
  readonly title: string;
  readonly command: Command;
}

/** A formula that names what no block is called: the parameter that was meant comes into being above it. */
export function remedyOf(draft: Draft, problem: Problem): Remedy | undefined {
  const { block, port } = problem;
  if (block === undefined || port === undefined || !isIdentifier(port)) return undefined;
  const target = draft.blocks.find((other) => other.id === block);
  const formula = target?.kind === 'map' || target?.kind === 'recurrence';
  if (!formula || draft.blocks.some((other) => other.id === port)) return undefined;
  const [x, y] = positionOf(draft, block) ?? [0, 0];
  return {
    title: `Add parameter ${port}`,
    command: { type: 'add', blocks: [{ id: port, kind: 'parameter', initial: 1 }], positions: [[port, [x, y - 128]]] },
  };
}
