import { expect, it } from 'vitest';
import { finiteContext } from '../../../../src-renderer/parts/charts/finite-context.ts';

it('draws what a canvas would: nothing that is not finite', () => {
  const calls: unknown[][] = [];
  class Context {
    readonly name = 'M';
    moveTo(...given: number[]) {
      calls.push([this.name, ...given]);
    }
    fillText(...given: unknown[]) {
      calls.push(given);
    }
    measureText(text: string) {
      return text.length;
    }
  }
  const context = finiteContext(new Context());
  context.moveTo(1, 2);
  context.moveTo(NaN, 2);
  context.moveTo(1, -Infinity);
  context.fillText('NaN', 3, 4);
  context.fillText('a', 3, NaN);
  expect(calls).toEqual([
    ['M', 1, 2],
    ['NaN', 3, 4],
  ]);
  expect(context.measureText('abc')).toBe(3);
});
