import type { IotaConstruct } from '../../0-ir/program.ts';
import type { Context } from './context.ts';
import { tabulate, type HostValue } from './host-value.ts';

/** 0, 1, …, length - 1 */
export function interpretIota(c: IotaConstruct, context: Context): HostValue[] {
  return [tabulate('int', [context.size(c.length)], (position) => position)];
}
