/** What the elements of one tile are combined into, and the plain way of doing it: one by one. */
import { read, type Line } from '../walk/access.ts';
import { accumulate, elementOf, type Accumulator, type Combining } from '../combine/combining.ts';
import { forLine } from '../walk/items.ts';
import type { Kernel } from '../kernel.ts';
import { add, apply, get, type Expression } from '../wasm/expression.ts';

export interface Tile {
  readonly k: Kernel;
  readonly step: Combining;
  readonly total: Accumulator;
  readonly inputs: readonly Line[];
  readonly length: Expression;
  readonly unrolled: number;
}

/** The elements from `first` on, one by one. */
export function singly({ k, step, total, inputs, length }: Tile, first: Expression): void {
  const from = inputs.map((line): Line => ({ ...line, item: { ...line.item, at: k.f.local('i32') } }));
  from.forEach(({ item, stride }, i) => {
    const behind = apply('i32.mul', first, k.size(stride, item.unit));
    k.f.set(item.at, add(get(inputs[i]!.item.at), behind));
  });
  forLine(k, get(k.f.keep(apply('i32.sub', length, first))), from, () => {
    const values = from.map(({ along }) => read(k, along));
    accumulate(k, total, elementOf(k, step, values));
  });
}
