import type { CallConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import type { HostValue } from './host-value.ts';

export function interpretCall(c: CallConstruct, context: Context): HostValue[] {
  return context.run(c.program, c.inputs.map(context.value));
}
