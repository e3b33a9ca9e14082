import type { MapStep } from '../../3-plan/plan.ts';
import { accessCursor, read, sourceCursor, write } from './access.ts';
import { forEachInRow, forRows } from './items.ts';
import type { Kernel } from './kernel.ts';
import { emitFunction } from './scalar-function.ts';
import { get, type Expression } from './wasm/expression.ts';

/** outputs[k][point] = function(inputs[…][point])[k] */
export function emitMap(k: Kernel, step: MapStep): void {
  const inputs = step.inputs.map((source) => sourceCursor(k, source));
  const outputs = step.outputs.map((access, i) =>
    accessCursor(k, access, step.function.body.results[i]?.type ?? 'real'),
  );
  const cursors = [...inputs, ...outputs];
  forRows(k, step.domain, cursors, (row) => {
    // What is the same all along a row is read once: a parameter in a map over data, above all.
    const readers = inputs.map((cursor): (() => Expression) => {
      if ((cursor.strides.at(-1) ?? 0) !== 0) return () => read(k, cursor);
      const value = k.f.keep(read(k, cursor));
      return () => get(value);
    });
    forEachInRow(k, row, cursors, () => {
      const values = emitFunction(
        k,
        step.function,
        readers.map((reader) => reader()),
      );
      outputs.forEach((cursor, i) => write(k, cursor, values[i] as Expression));
    });
  });
}
