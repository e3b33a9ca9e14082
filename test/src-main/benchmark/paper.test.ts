/** The paper's rows: their floors by hand, their figures against the table, and that each is a program with a rule. */
import { describe, expect, it } from 'vitest';
import { floorOf, paperBytes, rulePasses } from '../../../src-main/benchmark/paper/least-bytes.ts';
import { paper, type PaperMeasurement } from '../../../src-main/benchmark/paper/paper.ts';
import { elementBytes } from '../../../src-main/benchmark/paper/programs.ts';
import { paperRows } from '../../../src-main/benchmark/paper/rows.ts';
import { referenceDevice, vjpRules } from '../../../engine/index.ts';

describe('the least bytes', () => {
  it('of reduce: elements are read, adjoints written, and a write on the CPU counts twice', () => {
    expect(floorOf('reduce', 'reduce-add', 4, 'cpu')).toBe(3);
    expect(floorOf('reduce', 'reduce-add', 4, 'webgpu')).toBe(2);
    expect(floorOf('reduce', 'reduce-multiply', 4, 'cpu')).toBe(4);
    expect(floorOf('reduce', 'reduce-general', 100, 'webgpu')).toBe(3);
  });

  it('of scan: there and back', () => {
    expect(floorOf('scan', 'scan-add', 4, 'cpu')).toBe(2);
    expect(floorOf('scan', 'scan-structured', 16, 'cpu')).toBeCloseTo(7 / 3, 15);
    expect(floorOf('scan', 'scan-structured', 16, 'webgpu')).toBe(2.5);
  });

  it('of histogram: with keys of four bytes', () => {
    expect(floorOf('histogram', 'histogram-add', 4, 'cpu')).toBe((8 + 4 + 4) / (4 + 4));
    expect(floorOf('histogram', 'histogram-invertible', 8, 'cpu')).toBe((16 + 16 + 8) / (8 + 4));
    expect(floorOf('histogram', 'histogram-multiply', 40, 'webgpu')).toBe((80 + 40 + 8) / (40 + 4));
  });

  it('is not known of a rule without passes, and every rule has them', () => {
    expect(floorOf('reduce', 'reduce-unheard-of', 4, 'cpu')).toBeNull();
    const combining = vjpRules.filter(({ construct }) => ['reduce', 'scan', 'histogram'].includes(construct));
    expect(Object.keys(rulePasses).sort()).toEqual(combining.map(({ name }) => name).sort());
  });

  it('by the count of the paper', () => {
    expect(paperBytes('reduce', 10, 4)).toBe(40);
    expect(paperBytes('scan', 10, 4)).toBe(80);
    expect(paperBytes('histogram', 10, 4)).toBe(200);
  });
});

describe('the rows of the paper', () => {
  it('have a figure for each number of bins, and a range for each component', () => {
    for (const { name, bins, paper: figures, ranges, operator } of paperRows) {
      expect([figures.D1.length, figures.D2.length], name).toEqual([bins.length, bins.length]);
      expect(ranges.length, name).toBe(operator.neutral.length);
    }
    expect(paperRows.map(({ name }) => name)).toContain('histogram map2 min');
    expect(paperRows.length).toBe(28);
  });

  it('have elements of all components of a row', () => {
    const bytes = Object.fromEntries(paperRows.map((row) => [row.name, elementBytes(row, 'f32')]));
    expect(bytes).toMatchObject({ 'reduce +': 4, 'scan map2(×)': 64, 'histogram map2(+)': 40, 'scan matMul 5×5': 100 });
  });

  it('run on the plain interpreter, each by a rule of its own construct', async () => {
    const rows: PaperMeasurement[] = [];
    await paper.run(
      referenceDevice(),
      { only: 'reduce', dataset: 'D1', elements: 20, pytorch: [] },
      { row: (row) => rows.push(row), progress: () => {}, note: expect.fail },
    );
    expect(rows.map(({ row }) => row)).toEqual(paper.names.filter((name) => name.startsWith('reduce')));
    for (const { row, rule, n } of rows) {
      expect(rule, row).toMatch(/^reduce-/);
      expect(n, row).toBe(row === 'reduce map2(×)' ? 2 : 20);
    }
  });
});
