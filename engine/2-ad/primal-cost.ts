/** What reduce, scan and histogram cost by themselves: what the cost of a derivative is compared with. */
import { arity } from '../0-ir/operators.ts';
import type { Construct } from '../0-ir/program.ts';
import { workOf } from '../1-optimize/work.ts';
import type { Cost } from './cost.ts';

/** For each element of the domain; undefined for other constructs. */
export function primalCost(construct: Construct): Cost | undefined {
  switch (construct.kind) {
    case 'reduce':
    case 'scan':
    case 'histogram':
      break;
    default:
      return undefined;
  }
  const d = arity(construct.operator);
  // Read once; a scan writes as much, and a histogram reads keys and reads and writes bins.
  const traffic = { reduce: d, scan: 2 * d, histogram: 3 * d + 1 }[construct.kind];
  return { traffic, operations: workOf(construct.operator.combine), passes: 1 };
}
