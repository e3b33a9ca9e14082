import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateParser } from '../../../build/grammar.mjs';

test('the generated parser is what the grammar gives: else run node build/grammar.mjs', async () => {
  for (const [name, text] of Object.entries(await generateParser()))
    expect(readFileSync(new URL(`../../../models/formula/${name}`, import.meta.url), 'utf8'), name).toBe(text);
});
