import { expect, test } from 'vitest';
import { optimize } from '../../../../engine/1-optimize/index.ts';
import { profiles, vjp } from '../../../../engine/index.ts';
import { primalOf } from '../../../../src-main/benchmark/paper/programs.ts';
import { paperRows } from '../../../../src-main/benchmark/paper/rows.ts';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { bindModule, encode, kernelTexts, unrolled } from '../../../../engine/4-backends/webgpu/bind.ts';
import { generate } from '../../../../engine/4-backends/webgpu/generate.ts';
import { headerWords, type ModuleKernel } from '../../../../engine/4-backends/webgpu/module.ts';
import { checkProgram, checks } from '../../../../engine/5-runtime/gpu/webgpu-check.ts';

function sumOfSquares() {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n', 'm']));
  const squares = b.apply('mul', x, x);
  const [sums] = b.reduce(builtinOperator('add'), [squares], 1);
  const [total] = b.reduce(builtinOperator('add'), [sums!], 0);
  return generate(lower(b.finish({ squares, total: total! })));
}

test('a module is plain data', () => {
  const module = sumOfSquares();
  expect(JSON.parse(JSON.stringify(module))).toEqual(module);
});

test('new sizes change blocks and groups, and no text', () => {
  const module = sumOfSquares();
  const pace = { budget: 2 ** 22, together: 8 };
  const [small, large] = [
    { n: 300, m: 1000 },
    { n: 500, m: 2000 },
  ].map((sizes) => encode(bindModule(module, sizes), pace));
  expect(kernelTexts(large?.run ?? [])).toEqual(kernelTexts(small?.run ?? []));
  expect(large?.blocks).not.toEqual(small?.blocks);
});

test('dispatches of one step cover its items once, each within the budget', () => {
  const module = sumOfSquares();
  const budget = 5000;
  const { blocks, run } = encode(bindModule(module, { n: 70, m: 30 }), { budget, together: 1 });
  const ranges = [...unrolled(run, true)].map(({ block, work }) => {
    expect(work).toBeLessThanOrEqual(budget);
    const [from, to, , , step] = blocks.subarray(block / 4, block / 4 + headerWords);
    return { from: from!, to: to!, step };
  });
  const squares = ranges.filter(({ step }) => step === 0);
  expect(squares.length).toBeGreaterThan(1);
  expect(squares[0]?.from).toBe(0);
  expect(squares.at(-1)?.to).toBe(2100);
  squares.slice(1).forEach(({ from }, i) => expect(from).toBe(squares[i]?.to));
});

/** Bytes of workgroup memory that a kernel declares. */
function workgroupMemory(text: string): number {
  const structs = new Map(
    [...text.matchAll(/struct (\w+) \{([^}]*)\}/g)].map(([, name = '', members = '']) => [name, members] as const),
  );
  const sizeOf = (type: string): number => {
    const atomic = /^atomic<(\w+)>$/.exec(type)?.[1] ?? type;
    const members = structs.get(atomic);
    if (members === undefined) return 4;
    return [...members.matchAll(/: ([\w<>]+)/g)].reduce((sum, [, member = '']) => sum + sizeOf(member), 0);
  };
  return [...text.matchAll(/var<workgroup> \w+: array<([\w<>]+), (\d+)>/g)].reduce(
    (sum, [, type = '', length]) => sum + sizeOf(type) * Number(length),
    0,
  );
}

test('no kernel of the paper and its derivative asks for more workgroup memory than every adapter has', () => {
  for (const row of paperRows)
    for (const bins of row.bins) {
      const primal = primalOf(row, bins).program;
      for (const program of [primal, vjp(primal, { profile: profiles.webgpu })]) {
        const { prepare, run } = generate(lower(optimize(program)));
        for (const { kind, kernels } of [...prepare, ...run] as ModuleKernel[])
          for (const { wgsl } of kernels)
            expect(workgroupMemory(wgsl), `${row.name}, ${bins} bins, ${kind}`).toBeLessThanOrEqual(16384);
      }
    }
});

// A variable that is declared in a loop is zero each time by WGSL, and on Dawn what it was the time before: sums of axes of more
// than two million elements were wrong by that.
test.each(Object.entries(checks))('a kernel of %s gives a variable in a loop its value', (_, write) => {
  const { run } = generate(lower(checkProgram(write)));
  const texts = (run as ModuleKernel[]).flatMap(({ kernels }) => kernels.map(({ wgsl }) => wgsl));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts)
    for (const loop of text.split(/\n(?= *for \()/).slice(1)) {
      const [head = ''] = loop.split('\n');
      const depth = head.search(/\S/);
      const lines = loop.split('\n').slice(1);
      const end = lines.findIndex((line) => line.search(/\S/) <= depth);
      for (const line of lines.slice(0, end)) expect(line).not.toMatch(/var \w+: (Tuple|Partial);/);
    }
});
