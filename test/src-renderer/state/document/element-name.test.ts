/** Elements of parameters by their labels. */
import { describe, expect, it } from 'vitest';
import type { BlockReport } from '../../../../src-main/contract/contract.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { labelsIn, labelsSummary, spokenName } from '../../../../src-renderer/state/document/element-name.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [
    { id: 'strain', kind: 'column', table: 'data', column: 'strain' },
    { id: 'subject', kind: 'column', table: 'data', column: 'subject' },
    { id: 'IC50', kind: 'parameter', initial: 1, like: 'strain' },
    { id: 'k', kind: 'parameter', initial: 1, like: 'subject' },
    { id: 'A', kind: 'parameter', initial: [1, 2] },
  ],
};
const output = { name: 'value', element: 'int' as const, shape: ['n'], sizes: [6] };
const report = (id: string, labels?: string[]): [string, BlockReport] => [
  id,
  { id, kind: 'column', inputs: [], outputs: [{ ...output, ...(labels && { labels }) }] },
];
const labelsOf = labelsIn(draft, new Map([report('strain', ['WT', 'ΔrecA']), report('subject')]));

describe('what an element of a parameter is called', () => {
  it.each([
    ['IC50[1]', 'IC50[ΔrecA]'],
    ['IC50', 'IC50'],
    ['k[1]', 'k[1]'],
    ['A[0]', 'A[0]'],
    ['IC50[7]', 'IC50[7]'],
    ['gone[1]', 'gone[1]'],
    ['A[0, 1]', 'A[0, 1]'],
  ])('%s is %s', (name, wanted) => expect(spokenName(name, labelsOf)).toBe(wanted));
});

it('labels stand on a block as far as there is room', () => {
  expect(labelsSummary(['WT', 'ΔrecA'])).toBe('WT, ΔrecA');
  expect(labelsSummary(Array.from({ length: 12 }, (_, i) => `CMP-${i}`))).toBe('12 labels');
});
