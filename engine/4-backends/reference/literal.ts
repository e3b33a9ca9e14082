import type { LiteralConstruct } from '../../0-ir/program.ts';
import { tabulate, type HostValue } from './host-value.ts';

export function interpretLiteral(c: LiteralConstruct): HostValue[] {
  return [tabulate(c.element, [], () => c.value)];
}
