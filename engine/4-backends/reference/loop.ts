import type { LoopConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { tabulate, type HostValue } from './host-value.ts';

/** carries = body(t, carries, invariants) for t = 0, 1, …, count - 1 */
export function interpretLoop(c: LoopConstruct, context: Context): HostValue[] {
  const invariants = c.invariants.map(context.value);
  let carries = c.initial.map(context.value);
  for (let t = 0; t < context.size(c.count); t++) {
    const index = tabulate('int', [], () => t);
    carries = context.run(c.body, [index, ...carries, ...invariants]);
  }
  return carries;
}
