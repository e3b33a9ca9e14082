/**
 * Elements of a line into their bins. What few elements need is done outside the loop over the many: code that is hardly
 * ever run costs nothing there but the registers that it takes, and those showed.
 */
import { read, type Line } from '../walk/access.ts';
import type { Bin, BinUpdate } from './bin-update.ts';
import { lineReaders } from '../walk/items.ts';
import type { Kernel } from '../kernel.ts';
import { apply, get, i32, type Expression, type Local } from '../wasm/expression.ts';
import type { Label } from '../wasm/function-builder.ts';

export interface KeyedLine {
  readonly length: Expression;
  readonly keys: Line;
  readonly inputs: readonly Line[];
  readonly bins: Expression;
  /** The bin of a key in range. */
  bin(key: Local): Bin;
}

export function forKeyedLine(k: Kernel, { length, keys, inputs, bins, bin }: KeyedLine, update: BinUpdate): void {
  const { f } = k;
  const lines = [...inputs, keys];
  for (const { item, along } of lines) f.set(along.at, get(item.at));
  const readers = lineReaders(k, inputs);
  const place = f.keep(i32(0));
  const advance = () => {
    for (const { along, stride } of lines) f.increase(along.at, k.size(stride, along.unit));
    f.increase(place);
  };
  const element = (take: (bin: Bin, inputs: readonly Expression[]) => void) => {
    const key = f.keep(read(k, keys.along));
    // Unsigned, so that a negative key is out of range too.
    f.if(apply('i32.lt_u', get(key), bins), () => {
      take(
        bin(key),
        readers.map((reader) => get(f.keep(reader()))),
      );
    });
  };
  const usualElements = (done: Label, unusual: Label | undefined) =>
    f.loop((repeat) => {
      f.branchIf(done, apply('i32.ge_s', get(place), length));
      element((bin, inputs) =>
        update.usual(bin, inputs, (when) => {
          if (unusual) f.branchIf(unusual, when);
        }),
      );
      advance();
      f.branch(repeat);
    });
  f.block((done) => {
    if (!update.mayLeave) return usualElements(done, undefined);
    f.loop((again) => {
      f.block((unusual) => usualElements(done, unusual));
      element(update.whole);
      advance();
      f.branch(again);
    });
  });
}
