/** `ids`, which completions ask: the ids of the first document among the words of a line. */
import { homedir } from 'node:os';
import { hasDocumentExtension, readStamped } from '../../files/documents.ts';
import { isIdentifier } from '../../../models/notation/names.ts';

/** A line for each; none where no word names a document that can be read, since a line that is typed is no place for a refusal. */
export async function printIds(words: readonly string[]): Promise<void> {
  for (const word of words) {
    const ids = (await idsIn(word)) ?? (await idsIn(unquoted(word)));
    if (ids === undefined) continue;
    process.stdout.write(ids.map((id) => `${id}\n`).join(''));
    return;
  }
}

/** Undefined of what is no document. */
async function idsIn(path: string): Promise<string[] | undefined> {
  if (!hasDocumentExtension(path)) return undefined;
  try {
    return idsOf((await readStamped(path)).document['blocks']);
  } catch {
    return undefined;
  }
}

/** As messages and commands name blocks: `g/inner` is one inside a group. What is no id would be read by a shell. */
function idsOf(blocks: unknown, prefix = ''): string[] {
  if (!Array.isArray(blocks)) return [];
  return (blocks as ({ id?: unknown; blocks?: unknown } | null)[]).flatMap((block) => {
    const id = block?.id;
    return typeof id === 'string' && isIdentifier(id) ? [prefix + id, ...idsOf(block?.blocks, `${prefix}${id}/`)] : [];
  });
}

/** Shells hand on a word as it was typed. */
function unquoted(word: string): string {
  const plain = process.platform === 'win32' ? word.replace(/["']/g, '') : word.replace(/\\(.)|["']/g, '$1');
  return plain.replace(/^~(?=\/)/, homedir());
}
