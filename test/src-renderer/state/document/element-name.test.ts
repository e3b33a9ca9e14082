/** Elements of parameters by their labels. */
import { describe, expect, it } from 'vitest';
import type { BlockReport } from '../../../../src-main/contract/contract.ts';
import { allSpoken, spoken } from '../../../../src-main/contract/element-labels.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { elementLabels, elementName, labelsSummary } from '../../../../src-renderer/state/document/element-name.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'strain', kind: 'column', table: 'data', column: 'strain' },
    { id: 'subject', kind: 'column', table: 'data', column: 'subject' },
    { id: 'IC50', kind: 'parameter', initial: 1, like: 'strain' },
    { id: 'k', kind: 'parameter', initial: 1, like: 'subject' },
    { id: 'A', kind: 'parameter', initial: [1, 2] },
    { id: 'pIC50', kind: 'quantity', formula: '6 - log10(IC50)' },
    { id: 'mean', kind: 'quantity', formula: 'A' },
  ],
};
const output = { name: 'value', element: 'int' as const, shape: ['n'], sizes: [6] };
const report = (id: string, labels?: string[]): [string, BlockReport] => [
  id,
  { id, kind: 'column', inputs: [], outputs: [{ ...output, ...(labels && { labels }) }] },
];
const quantity = (id: string, source: string, sizes: number[]): [string, BlockReport] => {
  const outputs = [{ name: 'value', element: 'real' as const, shape: sizes, sizes }];
  return [id, { id, kind: 'quantity', inputs: [{ port: source, source }], outputs }];
};
const blocks = new Map([
  ...[report('strain', ['WT', 'ΔrecA']), report('subject')],
  ...[quantity('pIC50', 'IC50', [2]), quantity('mean', 'A', [2])],
]);
const labels = elementLabels(draft, blocks);

describe('what an element of a parameter is called', () => {
  it.each([
    ['IC50[1]', 'IC50[ΔrecA]'],
    ['IC50', 'IC50'],
    ['pIC50[1]', 'pIC50[ΔrecA]'],
    ['mean[1]', 'mean[1]'],
    ['k[1]', 'k[1]'],
    ['A[0]', 'A[0]'],
    ['IC50[7]', 'IC50[7]'],
    ['gone[1]', 'gone[1]'],
    ['A[0, 1]', 'A[0, 1]'],
  ])('%s is %s', (name, wanted) => {
    expect(spoken(name, labels)).toBe(wanted);
    const { base, element } = elementName(name, labels);
    expect(element === '' ? base : `${base}[${element}]`).toBe(wanted);
  });

  it('is what it is called already', () => {
    expect(elementName('IC50[ΔrecA]', labels)).toEqual({ base: 'IC50', element: 'ΔrecA' });
  });

  it('is the same in sentences', () => {
    expect(spoken('Σ depends most on IC50[0]: 0.5, then k[1] with 0.3; moves with IC50[1].', labels)).toBe(
      'Σ depends most on IC50[WT]: 0.5, then k[1] with 0.3; moves with IC50[ΔrecA].',
    );
  });

  it('is the same in all texts of a report, under the same keys', () => {
    const values = Float64Array.of(1, 2);
    const report = {
      names: ['IC50[1]', 'A[0]'],
      'IC50[1]': values,
      verdict: { reason: 'moves with IC50[0]', of: null },
    };
    const told = allSpoken(report, labels);
    expect(told.names).toEqual(['IC50[ΔrecA]', 'A[0]']);
    expect(told['IC50[1]']).toBe(values);
    expect(told.verdict).toEqual({ reason: 'moves with IC50[WT]', of: null });
  });

  it('stays the same map as long as the labels are', () => {
    const moved = { ...draft, blocks: draft.blocks.map((block) => ({ ...block, initial: 2 })) };
    expect(elementLabels(moved, blocks, labels)).toBe(labels);
    expect(elementLabels({ ...draft, blocks: [] }, blocks, labels)).toEqual(new Map());
  });
});

it('labels stand on a block as far as there is room', () => {
  expect(labelsSummary(['WT', 'ΔrecA'])).toBe('WT, ΔrecA');
  expect(labelsSummary(Array.from({ length: 12 }, (_, i) => `CMP-${i}`))).toBe('12 labels');
});
