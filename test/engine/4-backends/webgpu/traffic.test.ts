/** What kernels move, counted as they run on an emulated GPU, against the least that must move. */
import { expect, test } from 'vitest';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import { draw, uniform } from '../../../../src-main/benchmark/draw.ts';
import { linFnComp, matMul } from '../../../../src-main/benchmark/operators.ts';
import { n, SubjectBuilder } from '../../../../src-main/benchmark/subject.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { emulatedGpu } from '../../../support/wgsl/emulated-host.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';

const length = 8192;
const operators = { '+': builtinOperator('add'), linFnComp, 'matMul 2×2': matMul(2), 'matMul 3×3': matMul(3) };

/** Words, and sectors of eight words, for each of the operator's words of each element. */
async function trafficOf(construct: 'reduce' | 'scan', operator: (typeof operators)[keyof typeof operators]) {
  const b = new SubjectBuilder();
  const words = operator.neutral.length;
  const elements = Array.from({ length: words }, (_, i) => b.data(`x${i}`, [-1, 1]));
  const results = b[construct](operator, elements, 0).map((value, i) => ({ name: `y${i}`, value }));
  expect(b.ranges.size).toBe(words);
  const inputs = Object.fromEntries(elements.map((_, i) => [`x${i}`, draw(`x${i}`, 'real', length, [-1, 1])]));
  const host = emulatedGpu(uniform(1));
  await runOnGpu(host, compile(b.finish(results)), inputs, { [n]: length });
  const { loads, stores, sectors } = host.traffic;
  return { moved: (loads + stores) / (length * words), asked: (8 * sectors) / (length * words) };
}

for (const [name, operator] of Object.entries(operators)) {
  test(`reduce ${name} reads each word once, in whole sectors`, async () => {
    const { moved, asked } = await trafficOf('reduce', operator);
    expect(moved).toBeLessThan(1.02);
    expect(asked).toBeLessThan(1.2);
  });

  // Beside the elements: the chunks' partials, which a larger tuple's smaller tiles have more of.
  test(`scan ${name} reads each word twice and writes it once, in whole sectors`, async () => {
    const { moved, asked } = await trafficOf('scan', operator);
    expect(moved).toBeLessThan(3.35);
    expect(asked).toBeLessThan(3.55);
  });
}
