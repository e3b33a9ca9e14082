/** Sends a table to the engine process, which reads it: piece by piece, so that neither side waits for the other. */
import type { Client } from '../../../src-main/contract/contract.ts';

/** What is imported: a file that was dropped or chosen, or text that was pasted. */
export interface Incoming {
  readonly name: string;
  readonly data: Blob;
}

/** Copying and sending one takes some milliseconds. */
const pieceBytes = 512 * 1024;

/** Cells as a spreadsheet puts them on the clipboard; a name that says so. */
export function pasted(text: string): Incoming {
  return { name: 'Pasted table', data: new Blob([text]) };
}

/** Resolves to false where `wanted` has come to say no. */
export async function send(
  client: Client,
  { name, data }: Incoming,
  wanted: () => boolean,
  onProgress: (share: number) => void,
): Promise<boolean> {
  await client.request('import.begin', { name, size: data.size });
  for (let from = 0; from < data.size; from += pieceBytes) {
    const bytes = new Uint8Array(await data.slice(from, from + pieceBytes).arrayBuffer());
    if (!wanted()) return false;
    await client.request('import.bytes', { bytes });
    if (!wanted()) return false;
    onProgress(Math.min(1, (from + bytes.length) / data.size));
  }
  return true;
}

/** `decay.csv` → `decay` */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}
