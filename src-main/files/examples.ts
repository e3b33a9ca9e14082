/** The example documents that ship, in one read-only folder. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestOutput } from '../contract.ts';
import { Refused } from '../refused.ts';
import { documentExtension, documentName, readDocument } from './documents.ts';
import type { RawDocument } from './documents.ts';

const exampleName = /^[A-Za-z0-9_-]+$/;

export function examplePath(catalogue: string, name: string): string {
  if (!exampleName.test(name)) throw new Refused(`There is no example ${JSON.stringify(name)}.`);
  return join(catalogue, name + documentExtension);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function summarise(document: RawDocument): string {
  const blocks: unknown[] = Array.isArray(document['blocks']) ? document['blocks'] : [];
  const kinds = blocks.map((block) => text((block as { kind?: unknown }).kind));
  const parameters = kinds.filter((kind) => kind === 'parameter').length;
  const quiet = new Set(['column', 'parameter', 'constant', 'map']);
  const constructs = [...new Set(kinds.filter((kind) => !quiet.has(kind)))];
  return [...constructs, `${parameters} parameter${parameters === 1 ? '' : 's'}`].join(' · ');
}

/** Title and origin are the document's own `name` and `note`. */
export async function listExamples(catalogue: string): Promise<RequestOutput<'files.examples'>> {
  const files = (await readdir(catalogue)).filter((file) => file.endsWith(documentExtension)).sort();
  return Promise.all(
    files.map(async (file) => {
      const document = await readDocument(join(catalogue, file));
      return {
        name: documentName(file),
        title: text(document['name']) || documentName(file),
        summary: summarise(document),
        origin: text(document['note']),
      };
    }),
  );
}
