/** Running what depends on no parameter, where inference needs its values: rows that a filter keeps, knots in order. */
import { cpuDevice, type HostArray, type Value } from '../../engine/index.ts';
import type { LowerContext } from '../blocks/kind.ts';
import type { CheckedBlocks, Link } from './checked.ts';
import { Lowering } from './lowering.ts';

/** What `write` gives, row-major, in the context of a block with these links. Throws `Fault` where data are at fault. */
export function computeData(
  blocks: CheckedBlocks,
  id: string,
  links: ReadonlyMap<string, Link>,
  write: (context: LowerContext) => Value,
): HostArray {
  const lowering = new Lowering(blocks);
  lowering.lowerBlocks([...links.values()].map((link) => link.block));
  const program = lowering.builder.finish([{ name: 'data', value: write(lowering.context(id, links)) }]);
  const device = cpuDevice();
  try {
    const instance = device.load(program).bind(lowering.sizes.binding());
    for (const [name, { values }] of lowering.inputs) instance.write(name, values);
    instance.run();
    return instance.read('data');
  } finally {
    device.close();
  }
}

/** The values of an output that depends on no parameter. */
export function computeOutput(blocks: CheckedBlocks, link: Link): HostArray {
  return computeData(blocks, link.block, new Map([['value', link]]), (context) => context.input('value'));
}
