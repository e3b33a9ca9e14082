/** The lags of an ode block as values, and what its delays are solved with beside the rest. */
import type { Value } from '../../../engine/index.ts';
import { broadcastSizes } from '../parts/sizes.ts';
import type { CompiledFormulas } from '../parts/formulas.ts';
import type { LowerContext } from '../kind.ts';

/** Each over the batch of what it is made of: the same all along a solution. */
export function lagValues(context: LowerContext, lags: readonly CompiledFormulas[]): Value[] {
  return lags.map(({ function: fn, ports }) => {
    const names = ports.flatMap((port) => (port.kind === 'name' ? [port.name] : []));
    const sizes = broadcastSizes(names.map((name) => context.output(name).sizes)) ?? [];
    return context.builder.map(
      fn,
      names.map((name) => context.input(name)),
      context.shape(sizes),
    )[0]!;
  });
}

/** Names that lags are made of. */
export function lagPorts(lags: readonly CompiledFormulas[]): string[] {
  return lags.flatMap(({ ports }) => ports.flatMap((port) => (port.kind === 'name' ? [port.name] : [])));
}
