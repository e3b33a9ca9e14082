/**
 * Where a fit would find the joint mode of a hierarchy. A distribution of effects whose own scale is estimated has no
 * bound as effects and scale shrink together: the most probable point of all is biased towards that, and says nothing of
 * how far effects scatter. What is meant is the marginal likelihood, or the posterior's mean.
 */
import { outputAt, type CheckedBlock, type CheckedBlocks, type Link } from '../graph/checked.ts';

const scales = ['sigma', 'scale'] as const;

/**
 * One sentence for each such distribution; none where nothing is estimated twice. `marginal`: random effects are
 * integrated out, and are no part of the mode.
 */
export function jointModeWarnings(
  blocks: CheckedBlocks,
  marginal: boolean,
): { readonly block: string; readonly message: string }[] {
  const estimated = (link: Link | undefined): boolean => link !== undefined && isEstimated(blocks, link.block);
  return [...blocks].flatMap(([id, checked]) => {
    const reason = marginal && isRandomEffect(checked) ? undefined : reasonOf(checked, blocks, estimated);
    if (reason === undefined) return [];
    const message = `block "${id}": ${reason}: a fit finds the joint mode, whose scales are biased and whose standard errors do not hold; sample the posterior instead (uncertainty --method hmc)`;
    return [{ block: id, message }];
  });
}

const isRandomEffect = ({ node }: CheckedBlock): boolean => node.block.kind === 'random-effect';

function reasonOf(
  { node, links }: CheckedBlock,
  blocks: CheckedBlocks,
  estimated: (link: Link | undefined) => boolean,
): string | undefined {
  const { block } = node;
  if (block.kind === 'parameter') {
    const prior = [...links].filter(([port, link]) => port.startsWith('prior.') && estimated(link));
    const names = [...new Set(prior.map(([, link]) => `"${link.block}"`))];
    return names.length === 0 || block.fixed === true
      ? undefined
      : `the prior depends on ${names.join(' and ')}, which ${names.length === 1 ? 'is' : 'are'} estimated as well`;
  }
  if (block.kind === 'random-effect') return 'its effects and their standard deviations are estimated together';
  if (block.kind !== 'likelihood' || !scales.some((port) => estimated(links.get(port)))) return undefined;
  const effects = ['observed', 'mean'].flatMap((port) => {
    const link = links.get(port);
    const source = link && blocks.get(link.block)?.node.block;
    const isArray = link !== undefined && outputAt({ blocks }, link).sizes.length > 0;
    return link && source?.kind === 'parameter' && source.fixed !== true && isArray ? [link.block] : [];
  });
  return effects[0] === undefined
    ? undefined
    : `it is a distribution of "${effects[0]}", each element of which is estimated, with a scale that is estimated as well`;
}

/** Whether a free parameter is among what the block is computed from. */
function isEstimated(blocks: CheckedBlocks, id: string, seen = new Set<string>()): boolean {
  const checked = blocks.get(id);
  if (!checked || seen.has(id)) return false;
  seen.add(id);
  const { block } = checked.node;
  if (block.kind === 'parameter') return block.fixed !== true;
  return [...checked.links.values()].some((link) => isEstimated(blocks, link.block, seen));
}
