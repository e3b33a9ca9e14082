import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../../models/format/hash.ts';
import { parseJson } from '../../../models/notation/json.ts';
import { nearestName } from '../../../models/notation/names.ts';
import { denseNumbers, nestNumbers, type Nested } from '../../../models/notation/numbers.ts';
import { applyOverrides, parseOverride, type Override } from '../../../models/format/override.ts';
import { parseDocument, readDocument, readLeniently } from '../../../models/format/parse.ts';
import { printDocument } from '../../../models/format/print.ts';
import { problem as contractProblem } from '../../../src-main/contract/contract.ts';
import type { Document } from '../../../models/format/document.ts';

const decay = {
  format: 'cotangent/1',
  name: 'Exponential decay',
  tables: { obs: { file: 'decay.csv' }, tiny: { columns: { t: [0, 1, 2], y: [1, 0.61, 'NaN'] } } },
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 't' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'A', kind: 'parameter', initial: 1, lower: 0, upper: 'Infinity' },
    { id: 'k', kind: 'parameter', initial: 0.1 },
    { id: 'curve', kind: 'map', formula: 'A * exp(-k * t)' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    {
      id: 'g',
      kind: 'group',
      inputs: { x: 't' },
      blocks: [{ id: 'c', kind: 'constant', value: [[1, 2]] }],
      outputs: { out: 'c' },
    },
  ],
  objective: 'loss',
  fit: { method: 'levenberg-marquardt' },
  view: { positions: { t: [0, 0] } },
};

function parsed(json: unknown): Document {
  const result = readDocument(json);
  if ('problems' in result) throw new Error(result.problems.map((problem) => problem.message).join('\n'));
  return result.document;
}

describe('JSON', () => {
  it('agrees with JSON.parse', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each([
    ['{"a": 1,}', 1, 9, /wanted a key in double quotes, got "}"/],
    ['{"a": 1\n "b": 2}', 2, 2, /wanted "," or "}", got "\\""/],
    ['[1, 2', 1, 6, /the end of the file/],
    ['{"a": NaN}', 1, 7, /wanted a value, got "NaN"/],
    ['{"a": 01}', 1, 7, /wanted a value/],
    ['{"a": 1e999}', 1, 7, /largest number/],
    ['{"a": 1, "a": 2}', 1, 10, /"a" occurs twice/],
    ['{} {}', 1, 4, /after the end/],
    ['"\\x"', 1, 1, /unknown escape/],
    ['"a\nb"', 1, 3, /line break/],
    ['[1, tru]', 1, 5, /got "tru"/],
    ['', 1, 1, /the end of the file/],
  ])('%j', (text, line, column, says) => {
    expect(() => parseJson(text)).toThrow(
      expect.objectContaining({ line, column, message: expect.stringMatching(says) as string }),
    );
  });

  it('keeps `__proto__` as a key', () => {
    const object = parseJson('{"__proto__": {"polluted": 1}}') as object;
    expect(Object.keys(object)).toEqual(['__proto__']);
    expect('polluted' in object).toBe(false);
  });

  it('refuses what would run out of stack', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow(/nested more than/);
  });
});

describe('documents', () => {
  it('are read and printed without loss, in the order of their keys', () => {
    const text = printDocument(parsed(decay));
    expect(JSON.parse(text)).toEqual(decay);
    expect(Object.keys(JSON.parse(text).blocks[2])).toEqual(['id', 'kind', 'initial', 'lower', 'upper']);
    const again = parseDocument(text);
    expect('document' in again && printDocument(again.document)).toBe(text);
  });

  it('print one block a line', () => {
    const lines = printDocument(parsed(decay)).split('\n');
    expect(lines).toContain('    { "id": "k", "kind": "parameter", "initial": 0.1 },');
    expect(lines).toContain('    "obs": { "file": "decay.csv" },');
    expect(lines).toContain('  "fit": { "method": "levenberg-marquardt" },');
  });

  it('say where JSON goes wrong', () => {
    const result = parseDocument('{\n  "format": "cotangent/1",\n  "blocks": [}\n');
    expect('problems' in result && result.problems[0]?.message).toBe(
      'the document is no JSON: line 3, column 14: wanted a value, got "}"',
    );
  });

  it('are refused for every fault at once, and read for the rest', () => {
    const bad = { ...decay, blocks: [...decay.blocks, { id: 'x', kind: 'nil' }, { id: 'y2', kind: 'constant' }] };
    const { document, problems, broken } = readLeniently(bad);
    expect(problems.map((problem) => problem.block)).toEqual(['x', 'y2']);
    expect(document?.blocks.map((block) => block.id)).toEqual(decay.blocks.map((block) => block.id));
    expect([...broken]).toEqual(['x', 'y2']);
  });

  it('say where numbers go that are given in place of a block', () => {
    const ode = { id: 'o', kind: 'ode', times: [0.5, 1], state: { x: { initial: 1, rate: '-x' } } };
    const result = readDocument({ ...decay, blocks: [ode] });
    expect('problems' in result && result.problems[0]).toMatchObject({
      port: 'times',
      fix: 'put the list into a constant block and name that here',
    });
  });

  it('have notes, frames and probes in their view, and nothing that is misspelt', () => {
    const view = {
      frames: [{ title: 'Rates', at: [0, 0], size: [200, 100], color: 'teal' }],
      notes: [{ text: 'Checked.', at: [0, 120] }],
      probes: [{ block: 'curve', port: 'k', at: [40, 300] }],
    };
    expect(parsed({ ...decay, view }).view).toEqual(view);
    const read = readDocument({ ...decay, view: { notes: [{ text: 'x', at: [0, 0], colour: 'red' }] } });
    expect('problems' in read && read.problems.map(({ message }) => message).join()).toMatch(/colour/);
  });

  it('have problems in the form that the contract carries', () => {
    const result = readDocument({ ...decay, blocks: [{ id: 'x', kind: 'redcue' }] });
    const problems = 'problems' in result ? result.problems : [];
    expect(problems).toHaveLength(1);
    const known = Object.keys(contractProblem.entries);
    for (const problem of problems) for (const key of Object.keys(problem)) expect(known).toContain(key);
  });
});

describe('hash', () => {
  const hash = hashDocument(parsed(decay));

  it('does not see the view, nor the order of keys and blocks', () => {
    const turned = Object.fromEntries(
      Object.entries({ ...decay, view: { positions: {} }, blocks: decay.blocks.toReversed() }).reverse(),
    );
    expect(hashDocument(parsed(turned))).toBe(hash);
  });

  it('sees a changed number', () => {
    const blocks = decay.blocks.map((block) => (block.id === 'k' ? { ...block, initial: 0.2 } : block));
    expect(hashDocument(parsed({ ...decay, blocks }))).not.toBe(hash);
  });
});

describe('overrides', () => {
  it.each([
    ['k=0.3', { id: 'k', value: 0.3 }],
    ['K = [1, [2]]', undefined],
    ['K=[1, "NaN"]', { id: 'K', value: [1, 'NaN'] }],
    ['up=Infinity', { id: 'up', value: 'Infinity' }],
    ['g/c=[[3, 4]]', { id: 'g/c', value: [[3, 4]] }],
    ['k', undefined],
    ['=3', undefined],
    ['k=fast', undefined],
  ])('%s', (text, wanted) => {
    const override = parseOverride(text);
    if (wanted) expect(override).toEqual(wanted);
    else expect(override).toHaveProperty('severity', 'error');
  });

  it('change parameters and constants, in groups too, and nothing else', () => {
    const { document, problems } = applyOverrides(parsed(decay), [
      parseOverride('k=2') as Override,
      parseOverride('g/c=7') as Override,
    ]);
    expect(problems).toEqual([]);
    expect(document.blocks[3]).toMatchObject({ id: 'k', initial: 2 });
    expect(document.blocks[6]).toMatchObject({ blocks: [{ id: 'c', value: 7 }] });
    const refused = applyOverrides(parsed(decay), [
      parseOverride('curve=2') as Override,
      parseOverride('kk=2') as Override,
    ]).problems;
    expect(refused.map((problem) => problem.message)).toEqual([
      '"curve" is a map block: only a parameter or a constant can be set',
      'there is no block "kk" to set',
    ]);
    expect(refused[1]?.fix).toBe('did you mean "k"?');
  });
});

describe('names and numbers', () => {
  it('finds the name that was meant', () => {
    const known = ['values', 'operator', 'axis'];
    expect(nearestName('valeus', known)).toBe('values');
    expect(nearestName('Axis', known)).toBe('axis');
    expect(nearestName('xyz', known)).toBeUndefined();
  });

  it('nests what it flattens', () => {
    const shape = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(shape, (sizes) => {
        const values = Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, (_, i) => (i === 1 ? NaN : i));
        const nested: Nested = nestNumbers(values, sizes);
        expect(denseNumbers(nested)).toEqual({ shape: sizes, values });
      }),
    );
    expect(denseNumbers([])).toEqual({ shape: [0], values: [] });
  });
});
