/** What blocks with states, recurrence and ode, have in common. */
import { isIdentifier } from '../../notation/names.ts';
import { isReservedName, type Port } from '../../formula/names.ts';
import type { InferContext, Output } from '../kind.ts';

/** What a state that begins with a number begins as. */
export const startingNumber: Output = { name: '', element: 'real', sizes: [], computed: false };

export function initialPort(state: string): string {
  return `${state}.initial`;
}

/** `taken` are names to which the block itself gives a meaning. Reports every name that will not do. */
export function namesFit(
  context: InferContext,
  states: readonly string[],
  inputs: readonly string[],
  taken: readonly string[] = [],
): boolean {
  const faults = [...new Set([...states, ...inputs])].flatMap((port) => {
    if (!isIdentifier(port)) return [[port, `${JSON.stringify(port)} is no name of letters, digits and _`]];
    if (isReservedName(port)) return [[port, `"${port}" is reserved in formulas and cannot name a state or an input`]];
    if (taken.includes(port))
      return [[port, `"${port}" has a meaning of its own here and cannot name a state or an input`]];
    if (states.includes(port) && inputs.includes(port)) return [[port, `"${port}" is both a state and an input`]];
    return [];
  });
  if (states.length === 0) faults.push(['state', 'wants at least one state']);
  for (const [port, message] of faults) context.fail(message!, { port });
  return faults.length === 0;
}

/** Reports a length(x) of what is no array from outside. */
export function lengthsFit(context: InferContext, ports: readonly Port[]): boolean {
  for (const port of ports) {
    if (port.kind !== 'length') continue;
    const value = context.input(port.name);
    if (value && value.sizes.length > 0) continue;
    context.fail(`length(${port.name}) wants an array from outside`, { port: port.name });
    return false;
  }
  return true;
}
