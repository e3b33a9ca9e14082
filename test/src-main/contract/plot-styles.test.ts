import { expect, test } from 'vitest';
import { lookOfGroup } from '../../../src-main/contract/plot-styles.ts';
import { symbolPath } from '../../../src-renderer/parts/charts/symbol-path.ts';

test('no two of the first twenty groups look alike', () => {
  const looks = Array.from({ length: 20 }, (_, i) => lookOfGroup(i));
  expect(new Set(looks.map(({ color, symbol }) => `${color} ${symbolPath(symbol, 0, 0, 2)}`)).size).toBe(20);
});
