/** Documents and messages, broken in every way: taken, or refused in words. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { decode, encode } from '../../src-main/contract/codec.ts';
import { load } from '../../src-main/compute/running/load.ts';
import { requests } from '../../src-main/contract/contract.ts';
import { parseDocument } from '../../src-main/files/documents.ts';
import { Refused } from '../../src-main/refused.ts';
import { serve } from '../../src-main/router.ts';
import { fuzzBudget, fuzzRuns, fuzzTimeout, keptTexts, mutatedBytes, mutatedText } from '../support/files/mutated.ts';

vi.setConfig({ testTimeout: fuzzTimeout });

const catalogue = join(import.meta.dirname, '../../models/catalogue');
const documents = readdirSync(catalogue)
  .filter((name) => name.endsWith('.cot.json'))
  .map((name) => readFileSync(join(catalogue, name), 'utf8'))
  .filter((text) => text.length < 4000);
const words = [
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  'null',
  '-1',
  '1e999',
  '"NaN"',
  '"__proto__"',
  '\\u0000',
  '\\',
  '"kind"',
  '1e15',
];

const document = fc.oneof(
  mutatedText(documents, words),
  fc.tuple(fc.constantFrom('[', '{"a":', '[{"blocks":'), fc.nat(20_000)).map(([part, n]) => part.repeat(n)),
  fc.json({ maxDepth: 4 }),
);

it('a document is a model, or refused in words', async () => {
  await fc.assert(
    fc.asyncProperty(document, async (text) => {
      let json;
      try {
        json = parseDocument(text, 'm.cot.json');
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        expect(error.message).toMatch(/^m\.cot\.json is no (?:JSON|model): [^]+\.$/);
        return;
      }
      const { model, problems } = await load(json, catalogue);
      for (const { message } of problems) {
        expect(message).toMatch(/\S/);
        expect(message).not.toMatch(/is not a function|undefined|Cannot read prop|\[object/);
      }
      if (!model) expect(problems.some(({ severity }) => severity === 'error')).toBe(true);
    }),
    { examples: keptTexts('documents'), ...fuzzBudget(300, 15_000) },
  );
});

it('bytes that are no frame are refused, and take no more room than they have', () => {
  const frames = [
    encode({
      type: 'request',
      id: 1,
      name: 'evaluate',
      body: { a: Float64Array.of(1, 2), b: [NaN, undefined, -0] },
    }),
    encode({ type: 'event', name: 'x', body: { $: 1, $$: Int32Array.of(1), s: 'ä' } }),
  ];
  const tokens = ['{"$":"Float64Array","at":0,"length":4000000000}', '"length":1e9', '"at":-8', '{"$":"NaN"}', '\0'];
  fc.assert(
    fc.property(mutatedBytes(frames, tokens), (bytes) => {
      try {
        decode(bytes);
      } catch (error) {
        expect([TypeError, RangeError, SyntaxError].some((kind) => error instanceof kind)).toBe(true);
      }
    }),
    { numRuns: fuzzRuns(1500) },
  );
});

it('a message that is none of the contract is refused, and no handler sees it', async () => {
  const names = Object.keys(requests);
  const message = fc.oneof(
    fc.anything(),
    fc.record(
      {
        type: fc.constantFrom('request', 'reply'),
        id: fc.oneof(fc.integer(), fc.anything()),
        name: fc.oneof(fc.constantFrom(...names, '__proto__', 'constructor'), fc.string()),
        body: fc.anything(),
      },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(message, async (value) => {
      const sent: { type: string; message?: string }[] = [];
      await serve({ send: (answer) => void sent.push(answer) }, {}, value);
      expect(sent).toHaveLength(1);
      expect(sent[0]?.type).toBe('refusal');
      expect(sent[0]?.message).toMatch(/ is malformed\.$| is not served here\.$/);
    }),
    { numRuns: fuzzRuns(1000) },
  );
});
