/** Bytes as text: what the byte order mark says, else what the bytes themselves allow. */
import { TableError } from '../table.ts';
import { decodeWindows1252 } from '../windows-1252.ts';

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const;
export type Encoding = (typeof encodings)[number];

/** The longest string that there is in every engine the app runs on, in UTF-16 units; longer files need a binary format. */
const longest = 2 ** 29 - 25;

/** Throws `TableError` where the text would be longer than a string may be. */
export function decode(bytes: Uint8Array, chosen?: Encoding): { readonly text: string; readonly encoding: Encoding } {
  if (bytes.length >= longest)
    throw new TableError(
      `it has ${(bytes.length / 2 ** 20).toFixed(0)} MiB, and text is read up to 511 MiB: save the table as Parquet, HDF5 or NPY`,
    );
  const encoding = chosen ?? marked(bytes) ?? wide(bytes);
  if (encoding === 'windows-1252') return { text: decodeWindows1252(bytes), encoding };
  if (encoding !== undefined) return { text: new TextDecoder(encoding).decode(bytes), encoding };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' };
  } catch {
    // What is no UTF-8 is what older instruments write.
    return { text: decodeWindows1252(bytes), encoding: 'windows-1252' };
  }
}

function marked(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/** In a table of UTF-16 every other byte is almost always 0. */
function wide(bytes: Uint8Array): Encoding | undefined {
  const sample = bytes.subarray(0, 2000);
  let [even, odd] = [0, 0];
  for (const [i, byte] of sample.entries())
    if (byte === 0) {
      if (i % 2 === 0) even++;
      else odd++;
    }
  if (4 * odd > sample.length && even === 0) return 'utf-16le';
  if (4 * even > sample.length && odd === 0) return 'utf-16be';
  if (even + odd > 0) throw new TableError('it is neither text nor a format that is known: it has bytes of 0');
  return undefined;
}
