import { it } from 'vitest';
import { least } from '../../../support/descent.ts';
import { close, evaluated, square, sumOf } from '../../../support/gradbench.ts';

const squares = (x: readonly number[]): number => sumOf(x.map(square));
const double = (x: readonly number[]): number[] => x.map((each) => 2 * each);

it.each(['ff', 'fr', 'rf', 'rr'])('saddle, %s', async (modes) => {
  const start = [1, -0.4];
  const greatest = (x: readonly number[]): number[] => least((y) => squares(y) - squares(x), double, start);
  const x = least((at) => squares(at) - squares(greatest(at)), double, start);
  close(await evaluated('saddle', modes, { start }), [...x, ...greatest(x)], 12);
});
