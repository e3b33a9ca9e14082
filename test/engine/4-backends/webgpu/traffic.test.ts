/**
 * What kernels move, counted as they run on an emulated GPU, against the least that must move. The table of docs/webgpu.md:
 * `TRAFFIC=8192 npx vitest run test/engine/4-backends/webgpu/traffic.test.ts`, that many elements of each row.
 */
import { expect, test } from 'vitest';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import { profiles, vjp } from '../../../../engine/index.ts';
import { linFnComp, matMul } from '../../../../src-main/benchmark/operators.ts';
import { floorOf, primalPasses } from '../../../../src-main/benchmark/paper/least-bytes.ts';
import { elementBytes, primalOf } from '../../../../src-main/benchmark/paper/programs.ts';
import { paperRows, type PaperRow } from '../../../../src-main/benchmark/paper/rows.ts';
import { SubjectBuilder } from '../../../../src-main/benchmark/subject.ts';
import type { Traffic } from '../../../support/wgsl/emulated-host.ts';
import { trafficOf } from '../../../support/wgsl/traffic.ts';

const length = 8192;
const operators = { '+': builtinOperator('add'), linFnComp, 'matMul 2×2': matMul(2), 'matMul 3×3': matMul(3) };

/** Words, and sectors of eight words, for each of the operator's words of each element. */
async function perWord(construct: 'reduce' | 'scan', operator: (typeof operators)[keyof typeof operators]) {
  const b = new SubjectBuilder();
  const words = operator.neutral.length;
  const elements = Array.from({ length: words }, (_, i) => b.data(`x${i}`, [-1, 1]));
  const results = b[construct](operator, elements, 0).map((value, i) => ({ name: `y${i}`, value }));
  const program = b.finish(results);
  const subject = { program, ranges: b.ranges, fixed: new Set<string>() };
  const { loads, stores, sectors } = await trafficOf(subject, program, length);
  return { moved: (loads + stores) / (length * words), asked: (8 * sectors) / (length * words) };
}

for (const [name, operator] of Object.entries(operators)) {
  test(`reduce ${name} reads each word once, in whole sectors`, async () => {
    const { moved, asked } = await perWord('reduce', operator);
    expect(moved).toBeLessThan(1.02);
    expect(asked).toBeLessThan(1.2);
  });

  // Beside the elements: the chunks' partials, which a larger tuple's smaller tiles have more of.
  test(`scan ${name} reads each word twice and writes it once, in whole sectors`, async () => {
    const { moved, asked } = await perWord('scan', operator);
    expect(moved).toBeLessThan(3.35);
    expect(asked).toBeLessThan(3.55);
  });
}

test('a histogram of sums reads keys and values once, in whole sectors', async () => {
  const row = paperRows.find(({ name }) => name === 'histogram +')!;
  const primal = primalOf(row, 401);
  const { loads, stores, sectors } = await trafficOf(primal, primal.program, length);
  expect((loads + stores) / (2 * length)).toBeLessThan(1.25);
  expect((8 * sectors) / (2 * length)).toBeLessThan(1.4);
});

/** Words of the primal and of the whole derivative, over the least. */
const overLeast: readonly (readonly [name: string, bins: number | null, rule: string, most: number])[] = [
  ['reduce linFnComp', null, 'reduce-general', 1.4],
  ['scan map2(×)', null, 'scan-general', 2],
  ['histogram ×', 31, 'histogram-multiply', 1.4],
  ['histogram map2(×)', 31, 'histogram-multiply', 2.1],
  ['histogram satAdd', 31, 'histogram-structured', 3.6],
];

for (const [name, bins, rule, most] of overLeast)
  test(`${name} with its derivative moves at most ${most} times the least`, async () => {
    const row = paperRows.find((candidate) => candidate.name === name)!;
    const primal = primalOf(row, bins);
    const derivative = vjp(primal.program, { profile: profiles.webgpu, force: new Map() });
    const elements = row.width === undefined ? length : length / 4;
    const { loads, stores, atomics } = await trafficOf(primal, derivative, elements);
    expect((4 * (loads + stores + 2 * atomics)) / leastOf(row, rule, elements).derivative).toBeLessThan(most);
  });

/** Bytes of a row of so many elements: of its primal, and with its derivative by a rule. */
function leastOf(row: PaperRow, rule: string, elements: number): { primal: number; derivative: number } {
  const size = elementBytes(row, 'f32');
  const { read, written, keys } = primalPasses[row.construct];
  const primal = elements * ((read + written) * size + 4 * keys);
  return { primal, derivative: primal * (floorOf(row.construct, rule, size, 'webgpu') ?? NaN) };
}

const wanted = Number(process.env['TRAFFIC'] ?? 0);

/** A line of the table: of primal and derivative the words moved and the sectors asked for, over the least bytes. */
async function line(row: PaperRow, bins: number | null): Promise<string> {
  const primal = primalOf(row, bins);
  let rule = '';
  const derivative = vjp(primal.program, {
    profile: profiles.webgpu,
    force: new Map(),
    onChoice({ construct }, choice) {
      if (construct.kind === choice.rule.construct) rule = choice.rule.name;
    },
  });
  const least = leastOf(row, rule, wanted);
  // An atomic reads and writes.
  const moved = ({ loads, stores, atomics }: Traffic): number => 4 * (loads + stores + 2 * atomics);
  const shown = (traffic: Traffic, bytes: number): string =>
    [moved(traffic) / bytes, (32 * traffic.sectors) / bytes].map((times) => times.toFixed(2)).join(' | ');
  const [before, after] = [
    await trafficOf(primal, primal.program, wanted),
    await trafficOf(primal, derivative, wanted),
  ];
  const overhead = (moved(after) / moved(before)).toFixed(1);
  const name = bins === null ? row.name : `${row.name}, ${bins} bins`;
  return `| ${name} | ${shown(before, least.primal)} | ${shown(after, least.derivative)} | ${overhead} | ${before.dispatches}, ${after.dispatches} | ${rule} |`;
}

test.skipIf(!wanted)(
  'the traffic of the rows of the paper',
  async () => {
    for (const row of paperRows.filter(({ name }) => !name.includes('5×5')))
      for (const bins of row.bins.filter((bins) => bins !== 50_000)) console.log(await line(row, bins));
  },
  3_600_000,
);
