/**
 * Generates the parser of formulas from its grammar: `node build/grammar.mjs`. The result is checked in, so that nothing
 * that imports it needs a plugin; a test compares it with what the grammar gives today.
 */
import { buildParserFile } from '@lezer/generator';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';

const folder = new URL('../models/formula/', import.meta.url);

/** File name to text. */
export async function generateParser() {
  const { parser, terms } = buildParserFile(readFileSync(new URL('formula.grammar', folder), 'utf8'), {
    fileName: 'formula.grammar',
    typeScript: true,
    warn: (message) => {
      throw new Error(message);
    },
  });
  const style = { ...(await resolveConfig(fileURLToPath(folder))), parser: 'typescript', plugins: [] };
  return { 'parser.generated.ts': await format(parser, style), 'terms.generated.ts': await format(terms, style) };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [name, text] of Object.entries(await generateParser())) writeFileSync(new URL(name, folder), text);
