import { expect, it } from 'vitest';
import { close, drawn, evaluated, matrix, rowsOf, slopes, sumOf } from '../../../support/gradbench.ts';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

interface Network {
  readonly main_params: number[][];
  readonly extra_params: number[][];
  readonly state: number[][];
  readonly sequence: number[][];
}

/** Character by character, unit by unit. */
function loss({ main_params: main, extra_params: extra, state, sequence }: Network): number {
  const memory = state.map((row) => [...row]);
  const units = sequence[0]!.length;
  const predicted = sequence.slice(0, -1).map((character) =>
    character.map((x, i) => {
      let z = x * extra[0]![i]!;
      for (let layer = 0; layer < main.length / 2; layer++) {
        const [hidden, cell] = [memory[2 * layer]!, memory[2 * layer + 1]!];
        const gate = (at: number, of: number): number =>
          of * main[2 * layer]![at * units + i]! + main[2 * layer + 1]![at * units + i]!;
        const taken = sigmoid(gate(1, hidden[i]!)) * Math.tanh(gate(3, hidden[i]!));
        cell[i] = cell[i]! * sigmoid(gate(0, z)) + taken;
        z = hidden[i] = sigmoid(gate(2, z)) * Math.tanh(cell[i]);
      }
      return z * extra[1]![i]! + extra[2]![i]!;
    }),
  );
  const hits = predicted.map((row, t) => {
    const norm = Math.log(2 + sumOf(row.map(Math.exp)));
    return sumOf(row.map((each, i) => sequence[t + 1]![i]! * (each - norm)));
  });
  return -sumOf(hits) / ((sequence.length - 1) * units);
}

it.each([
  { layers: 1, characters: 2 },
  { layers: 2, characters: 6 },
])('lstm of $layers layers on $characters characters', async ({ layers, characters }) => {
  const units = 3;
  const network: Network = {
    ...{ main_params: matrix(1, 2 * layers, 4 * units), extra_params: matrix(2, 3, units) },
    ...{ state: matrix(3, 2 * layers, units), sequence: rowsOf(drawn(4, characters * units).map(Math.abs), units) },
  };
  close(await evaluated('lstm', 'objective', network), [loss(network)], 12);
  const wanted = [
    ...slopes((main) => loss({ ...network, main_params: rowsOf(main, 4 * units) }), network.main_params.flat()),
    ...slopes((extra) => loss({ ...network, extra_params: rowsOf(extra, units) }), network.extra_params.flat()),
  ];
  const found = await evaluated('lstm', 'jacobian', network);
  close(found, wanted, 9);
  expect((found as number[]).every((slope) => slope !== 0)).toBe(true);
});
