/** What the blocks of an objective are, for whoever asks what their sum means. */
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import type { ObjectiveTerm } from '../objective/combination.ts';
import { outputAt, type CheckedBlocks, type Link } from '../graph/checked.ts';

export function objectiveTerm(blocks: CheckedBlocks, id: string): ObjectiveTerm {
  const checked = blocks.get(id);
  const block = checked?.node.block;
  if (block?.kind === 'likelihood') return { block: id, kind: 'likelihood', noise: 'known', robust: false };
  if (block?.kind !== 'least-squares') return { block: id, kind: 'scalar', noise: 'known', robust: false };
  const { sigma, loss }: LeastSquaresBlock = block;
  const observed = checked?.links.get('observed');
  const unit = observed && outputAt({ blocks }, observed).unit?.trim();
  return {
    block: id,
    kind: 'least-squares',
    noise: sigma === undefined ? 'estimated' : 'known',
    robust: loss !== undefined,
    ...(unit !== undefined && { unit }),
  };
}

export const objectiveTerms = (blocks: CheckedBlocks, objective: readonly Link[]): ObjectiveTerm[] =>
  objective.map(({ block }) => objectiveTerm(blocks, block));
