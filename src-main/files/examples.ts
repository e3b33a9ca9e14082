/** The example documents that ship, in one read-only folder. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '../../models/catalogue/index.ts';
import type { Location, RequestOutput } from '../contract/contract.ts';
import { Refused } from '../refused.ts';
import { documentExtension, readDocument } from './documents.ts';
import type { RawDocument } from './documents.ts';

const exampleName = /^[A-Za-z0-9_-]+$/;

function examplePath(folder: string, name: string): string {
  if (!exampleName.test(name)) throw new Refused(`There is no example ${JSON.stringify(name)}.`);
  return join(folder, name + documentExtension);
}

/** Where a document lies that may be read: an example's place, or what `chosen` makes of a file's. */
export async function readablePath(
  location: Location,
  catalogue: string,
  chosen: (path: string) => string | Promise<string>,
): Promise<string> {
  if (location.kind === 'unsaved') throw new Refused('A document that was never saved cannot be opened.');
  return location.kind === 'example' ? examplePath(catalogue, location.name) : chosen(location.path);
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

/** In the catalogue's order. Title and origin are the document's own `name` and `note`. */
export async function listExamples(folder: string): Promise<RequestOutput<'files.examples'>> {
  const there = new Set(await readdir(folder));
  return Promise.all(
    catalogue
      .filter(({ name }) => there.has(name + documentExtension))
      .map(async ({ name, field }) => {
        const document = await readDocument(examplePath(folder, name));
        const title = text(document['name']) || name;
        return { name, field, title, summary: summarise(document), origin: text(document['note']) };
      }),
  );
}
