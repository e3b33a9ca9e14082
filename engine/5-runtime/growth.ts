/**
 * Sizes that nobody can know before a run: how many steps a solver takes. A program that finds one too small says so by a
 * fault (a gather whose index is out of range); the sizes are then made larger, the same code is bound to them, and the
 * run is made again. Nothing compiles anew, and who asked for the run sees none of it.
 */
import { Fault } from '../0-ir/errors.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { HostArray, Instance, RunOptions } from './device.ts';

/** Symbols of sizes that grow begin so. */
export const growingPrefix = 'growing_';

/**
 * A derivative costs as much as it has slots, and is run many times after it has grown once: slots that nobody needs cost more
 * than runs made again.
 */
const factor = 1.5;
/** No size grows beyond; a program that needs more says so by itself. */
export const mostGrown = 2 ** 15;

/** An instance of a device whose calls return at once with what they give. */
export interface InstanceAtOnce extends Instance {
  run(options?: RunOptions): void;
  read(result: string): HostArray;
}

/** Undefined where nothing can grow. */
function larger(sizes: SizeBinding): SizeBinding | undefined {
  const grown = Object.entries(sizes).map(([symbol, value]) =>
    symbol.startsWith(growingPrefix) && value < mostGrown
      ? ([symbol, Math.min(mostGrown, Math.ceil(factor * value))] as const)
      : undefined,
  );
  const changed = grown.filter((entry) => entry !== undefined);
  return changed.length > 0 ? { ...sizes, ...Object.fromEntries(changed) } : undefined;
}

const grows = (sizes: SizeBinding): boolean => Object.keys(sizes).some((symbol) => symbol.startsWith(growingPrefix));

/** `known`: what earlier instances of the same code have come to need. */
export function growingAtOnce(
  bind: (sizes: SizeBinding) => InstanceAtOnce,
  asked: SizeBinding,
  known: Map<string, number>,
): InstanceAtOnce {
  if (!grows(asked)) return bind(asked);
  const state = new Growing(asked, known);
  let inner = bind(state.sizes);
  const rebind = (): void => {
    inner.release();
    inner = bind(state.sizes);
    state.rewrite(inner);
  };
  return {
    write(input, values) {
      state.wrote(input, values);
      inner.write(input, values);
    },
    run(options) {
      if (state.goBack()) rebind();
      for (;;)
        try {
          inner.run(options);
          return;
        } catch (error) {
          if (!state.grow(error)) throw error;
          rebind();
        }
    },
    read: (result) => inner.read(result),
    release: () => inner.release(),
  };
}

/** As `growingAtOnce`, of a device that is waited for. */
export async function growing(
  bind: (sizes: SizeBinding) => Instance | Promise<Instance>,
  asked: SizeBinding,
  known: Map<string, number>,
): Promise<Instance> {
  if (!grows(asked)) return bind(asked);
  const state = new Growing(asked, known);
  let inner = await bind(state.sizes);
  const rebind = async (): Promise<void> => {
    inner.release();
    inner = await bind(state.sizes);
    state.rewrite(inner);
  };
  return {
    write(input, values) {
      state.wrote(input, values);
      inner.write(input, values);
    },
    async run(options) {
      if (state.goBack()) await rebind();
      for (;;)
        try {
          await inner.run(options);
          return;
        } catch (error) {
          if (!state.grow(error)) throw error;
          await rebind();
        }
    },
    read: (result) => inner.read(result),
    release: () => inner.release(),
  };
}

/**
 * The sizes of an instance as they have become, and what was written to it, to be written again. What a single run has come to
 * need, as a step of a fit that leads astray does, is not kept for the next; what the next one needs as well is.
 */
class Growing {
  sizes: SizeBinding;
  /** Those that sufficed before the last run grew. */
  private former: SizeBinding | undefined;
  /** Those that the run before has come to need, while this one tries the former. */
  private needed: SizeBinding | undefined;
  private readonly written = new Map<string, ArrayLike<number>>();

  constructor(
    asked: SizeBinding,
    private readonly known: Map<string, number>,
  ) {
    this.sizes = Object.fromEntries(
      Object.entries(asked).map(([symbol, value]) => [symbol, Math.max(value, known.get(symbol) ?? 0)]),
    );
  }

  /** A caller may use its array again for something else. */
  wrote(input: string, values: ArrayLike<number>): void {
    this.written.set(input, Array.isArray(values) ? values.slice() : (values as Float64Array).slice());
  }

  rewrite(instance: Instance): void {
    for (const [input, values] of this.written) instance.write(input, values);
  }

  /** Called before each run: whether it is to try with less. */
  goBack(): boolean {
    this.needed = this.former && this.sizes;
    if (!this.former) return false;
    this.become(this.former);
    this.former = undefined;
    return true;
  }

  /** Whether it is worth another run. */
  grow(error: unknown): boolean {
    if (!(error instanceof Fault)) return false;
    if (this.needed) {
      this.become(this.needed);
      this.needed = undefined;
      return true;
    }
    const next = larger(this.sizes);
    if (!next) return false;
    this.former ??= this.sizes;
    this.become(next);
    return true;
  }

  private become(sizes: SizeBinding): void {
    this.sizes = sizes;
    for (const [symbol, value] of Object.entries(sizes))
      if (symbol.startsWith(growingPrefix)) this.known.set(symbol, value);
  }
}
