/**
 * Generates the parser of formulas from its grammar: `node build/grammar.mjs`. The result is checked in, so that nothing
 * that imports it needs a plugin; a test compares it with what the grammar gives today.
 */
import { buildParserFile } from '@lezer/generator';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../models/formula/', import.meta.url);

/** File name to text. */
export function generateParser() {
  const { parser, terms } = buildParserFile(readFileSync(new URL('formula.grammar', folder), 'utf8'), {
    fileName: 'formula.grammar',
    typeScript: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
  return { 'parser.generated.ts': parser, 'terms.generated.ts': terms };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, text] of Object.entries(generateParser())) writeFileSync(new URL(name, folder), text);
