import katex from 'katex';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../src-renderer/state/document/typeset.ts';

const texOf = (block: { id: string; kind: string } & Record<string, unknown>) =>
  linesOf(block, () => false).map(({ tex }) => tex);

describe('what a block computes, typeset', () => {
  it('puts an index after the subscript that a name has already', () => {
    const scan = { id: 's', kind: 'scan', operator: 'add' };
    expect(texOf({ ...scan, values: 'b' })[0]).toMatch(/ b_\{j\}$/);
    expect(texOf({ ...scan, values: 'b25' })[0]).toMatch(/ b_\{25,\\,j\}$/);
  });

  it('names the reactions that a state changes by, and leaves no side empty', () => {
    const block = {
      ...{ id: 'm', kind: 'ode', times: 't' },
      state: { A: { initial: 1 }, B: { initial: 0, rate: '-k*B' }, C: { initial: 0 }, D: { initial: 2 } },
      reactions: [
        { reaction: 'A -> B', rate: 'k1*A' },
        { name: 'back', reaction: '2 B -> A + 3 C', rate: 'k2*B' },
      ],
    };
    expect(linesOf(block, () => false).map(({ text }) => text.replace(/ +/g, ' '))).toEqual([
      'A: - v1 + v2',
      'B: -k*B + v1 - 2 v2',
      'C: 3 v2',
      'D: 0',
    ]);
    const per = { ...block, state: { ...block.state, B: { rate: '-k*B', per: 'vol' }, C: { per: 'w' } } };
    expect(linesOf(per, () => false).map(({ text }) => text)).toEqual([
      'A: - v1 + v2',
      'B: -k*B + (v1 - 2 v2)/(vol)',
      'C: (3 v2)/(w)',
      'D: 0',
    ]);
    for (const tex of [...texOf(block), ...texOf(per)]) expect(katex.renderToString(tex)).toContain('katex');
    expect(texOf({ ...block, reactions: [] })[0]).toBe('\\dot{A} = ');
  });

  it('says how random effects are distributed', () => {
    const effects = { id: 'u', kind: 'random-effect', like: 'subject' };
    expect(texOf(effects)).toEqual(['u \\sim \\mathcal{N}(0,\\,\\sigma^2)']);
    expect(texOf({ ...effects, names: ['level', 'slope'] })[0]).toMatch(/level.*slope.*\\sim .*\\Sigma/);
  });

  it.each(['A * (x^', '{a_b}\\^%&#$~', 'e^'])('shows a formula that is none as it stands: %s', (formula) => {
    const html = katex.renderToString(texOf({ id: 'a', kind: 'map', formula })[0]!, { output: 'html' });
    const shown = html
      .replace(/<[^>]*>/g, '')
      .replace(/&amp;/g, '&')
      .replace(/[\u00a0\u200b]/g, ' ')
      .replace(/ˆ/g, '^');
    expect(shown.replace(/\s/g, '').replace(/˜/g, '~')).toBe(formula.replace(/\s/g, ''));
  });

  it.each(['b', 'b25', 'x_max', 'k_e_2', 'alpha', 'group1.total2', 'group1.b'])('is TeX of any name: %s', (name) => {
    const blocks = [
      { id: 'a', kind: 'scan', operator: 'multiply', values: name },
      { id: 'a', kind: 'reverse', values: name },
      { id: 'a', kind: 'shift', values: name, by: 2 },
      { id: 'a', kind: 'transpose', values: name },
      { id: 'a', kind: 'recurrence', state: { [name.replace('.', '_')]: { next: 'x + 1', initial: 0 } } },
    ];
    for (const tex of blocks.flatMap(texOf)) expect(katex.renderToString(tex)).toContain('katex');
  });
});
