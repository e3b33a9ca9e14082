/** A document of five curves over one table, all of which one slider moves. */

export const curves = 5;

/** Of so many rows. `k` moves every curve; what is observed lies beside it, the same in every run. */
export function fiveCurves(rows: number): Readonly<Record<string, unknown>> {
  const column = (cell: (row: number) => number): number[] => Array.from({ length: rows }, (_, row) => cell(row));
  const numbers = Array.from({ length: curves }, (_, i) => i + 1);
  const observed = numbers.map((i) => [
    `y${i}`,
    column((row) => i * Math.exp((-3 * row) / rows) + ((row * 7919 + i) % 13) / 100),
  ]);
  return {
    format: 'cotangent/1',
    name: 'Five curves',
    tables: { obs: { columns: { t: column((row) => (10 * row) / rows), ...Object.fromEntries(observed) } } },
    blocks: [
      { id: 't', kind: 'column', table: 'obs', column: 't' },
      { id: 'k', kind: 'parameter', initial: 0.3 },
      ...numbers.flatMap((i) => [
        { id: `y${i}`, kind: 'column', table: 'obs', column: `y${i}` },
        { id: `A${i}`, kind: 'parameter', initial: i },
        { id: `curve${i}`, kind: 'map', formula: `A${i} * exp(-k * t)` },
        { id: `loss${i}`, kind: 'least-squares', prediction: `curve${i}`, observed: `y${i}` },
      ]),
    ],
    objective: numbers.map((i) => `loss${i}`),
  };
}

/** What the window shows beside the plots. */
export const shown = Array.from({ length: curves }, (_, i) => [`curve${i + 1}`, `loss${i + 1}`]).flat();
