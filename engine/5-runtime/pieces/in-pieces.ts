/**
 * A device that runs in pieces of rows what does not fit into its memory whole: objectives, their gradients and normal
 * equations are sums over rows, so of the data's length nothing is kept but the data, where the caller has them. What
 * fits runs as it would, to the bit; of what runs in pieces totals are those of pieces, combined in the order of the rows.
 */
import { OutOfMemory } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import type { SizeBinding } from '../../0-ir/sizes.ts';
import { programSymbols } from '../../0-ir/walk.ts';
import type { Device, Executable, Instance, LoadOptions } from '../device.ts';
import { passesOver, piecesSymbol, type Passes } from './passes.ts';
import { piecewise, type BoundPass } from './piecewise.ts';

/** Bytes of a piece: beside them its launch is nothing, and many of them fit side by side. */
const pieceBytes = 2 ** 25;
/** Of a device that has little: what runs beside it has to fit too. */
const share = 1 / 8;

export function inPieces(device: Device): Device {
  return {
    kind: device.kind,
    precision: device.precision,
    name: device.name,
    close: () => device.close(),
    load(program, options) {
      const loaded = device.load(program, options);
      return loaded instanceof Promise
        ? loaded.then((whole) => wholeOrInPieces(device, whole, options))
        : wholeOrInPieces(device, loaded, options);
    },
  };
}

function wholeOrInPieces(device: Device, whole: Executable, options: LoadOptions | undefined): Executable {
  const loaded: Executable[] = [];
  const instead = async (sizes: SizeBinding, error: unknown): Promise<Instance> => {
    const cut = error instanceof OutOfMemory ? cutOf(whole.program, sizes) : undefined;
    if (!cut) throw error;
    const { neededBytes, availableBytes } = error as OutOfMemory;
    const load = async (program: Program, varying?: ReadonlySet<string>): Promise<Executable> => {
      const executable = await device.load(program, varying && { varying });
      loaded.push(executable);
      return executable;
    };
    const atLeast = Math.max(2, Math.ceil(neededBytes / Math.min(pieceBytes, share * availableBytes)));
    const bound = await bindPieces(cut, sizes, load, { varying: options?.varying, atLeast });
    if (!bound) throw error;
    return bound;
  };
  return {
    program: whole.program,
    ...(whole.grown && { grown: whole.grown }),
    bind(sizes) {
      try {
        const bound = whole.bind(sizes);
        return bound instanceof Promise ? bound.catch((error: unknown) => instead(sizes, error)) : bound;
      } catch (error) {
        return instead(sizes, error);
      }
    },
    release() {
      for (const executable of [whole, ...loaded]) executable.release();
    },
  };
}

interface Cut extends Passes {
  readonly symbol: string;
  readonly rows: number;
}

/** Along the longest axis along which it can be cut. */
function cutOf(program: Program, sizes: SizeBinding): Cut | undefined {
  const lengthOf = (symbol: string): number => sizes[symbol] ?? 0;
  const symbols = programSymbols(program).filter((symbol) => lengthOf(symbol) > 1);
  for (const symbol of symbols.sort((a, b) => lengthOf(b) - lengthOf(a))) {
    const passes = passesOver(program, symbol);
    if (passes) return { ...passes, symbol, rows: lengthOf(symbol) };
  }
  return undefined;
}

/** In more pieces than `atLeast` where these do not fit either; undefined where a single row does not. */
async function bindPieces(
  cut: Cut,
  sizes: SizeBinding,
  load: (program: Program, varying?: ReadonlySet<string>) => Promise<Executable>,
  { varying, atLeast }: { readonly varying: ReadonlySet<string> | undefined; readonly atLeast: number },
): Promise<Instance | undefined> {
  const passes = [];
  for (const pass of cut.passes) {
    const changing = varying && new Set([...varying, ...pass.columns, ...pass.added]);
    passes.push({ pass, program: await load(pass.program, changing), combine: await load(pass.combine) });
  }
  const last = await load(cut.last);
  const { [cut.symbol]: _, ...others } = sizes;
  for (let rows = Math.ceil(cut.rows / atLeast); rows > 0; rows = Math.floor(rows / 2)) {
    const instances: Instance[] = [];
    const bind = async (executable: Executable, bound: SizeBinding): Promise<Instance> => {
      const instance = await executable.bind({ ...others, ...bound });
      instances.push(instance);
      return instance;
    };
    const release = (): void => instances.forEach((instance) => instance.release());
    const count = Math.ceil(cut.rows / rows);
    const rest = cut.rows - (count - 1) * rows;
    try {
      const bound: BoundPass[] = [];
      for (const { pass, program, combine } of passes) {
        const piece = await bind(program, { [cut.symbol]: rows });
        bound.push({
          pass,
          piece,
          remainder: rest === rows ? piece : await bind(program, { [cut.symbol]: rest }),
          combine: await bind(combine, { [piecesSymbol]: count }),
        });
      }
      return piecewise({
        passes: bound,
        last: await bind(last, {}),
        lastProgram: cut.last,
        all: cut.rows,
        rows,
        count,
        release,
      });
    } catch (error) {
      release();
      if (!(error instanceof OutOfMemory)) throw error;
    }
  }
  return undefined;
}
