/**
 * The form of a journal: lines that are only ever added, each with a hash of itself and of all before it. What a crash
 * has torn off the end is as if it were not there, and so are the entries from the first on that is not as it was written.
 */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { aboutCopy } from '../contract/keeping.ts';
import type { AboutCopy } from '../contract/keeping.ts';

/** A process that may have a copy open. `mark` tells it from a later one of the same number. */
export const owner = v.object({ machine: v.string(), process: v.number(), mark: v.string() });
export type Owner = v.InferOutput<typeof owner>;

export type Line =
  | { readonly kind: 'owner'; readonly owner: Owner }
  | { readonly kind: 'about'; readonly about: AboutCopy }
  | { readonly kind: 'entry'; readonly entry: string }
  /** The last edits are later than those of every copy with a lower one: no clock is asked, since clocks are set back. */
  | { readonly kind: 'order'; readonly order: number }
  /** Its page has ended. What is added after this is of a page that came back. */
  | { readonly kind: 'left' };

export interface Journal {
  /** Null where a fault of the disk has taken it. */
  readonly owner: Owner | null;
  /** The same. */
  readonly about: AboutCopy | null;
  /** Those before the first that is not as it was written. */
  readonly entries: readonly string[];
  readonly left: boolean;
  /** 0 where none is written. */
  readonly order: number;
  /** A line is not as it was written, or there is no whole first entry: more was lost than the end that a crash tears off. */
  readonly damaged: boolean;
}

/** Of a journal's lines so far; that of an empty one is ''. */
export type Chain = string;

const hashLength = 16;

function chained(before: Chain, text: string): Chain {
  return createHash('sha256').update(before).update(text).digest('hex').slice(0, hashLength);
}

function textOf(line: Line): string {
  switch (line.kind) {
    case 'owner':
      return `o${JSON.stringify(line.owner)}`;
    case 'about':
      return `a${JSON.stringify(line.about)}`;
    case 'entry':
      return `e${line.entry}`;
    case 'order':
      return `n${line.order}`;
    case 'left':
      return 'l';
  }
}

/** The lines as they are added to a journal whose chain is `before`, and its chain after them. */
export function journalText(
  lines: readonly Line[],
  before: Chain = '',
): { readonly text: string; readonly chain: Chain } {
  let chain = before;
  let text = '';
  for (const line of lines) {
    const body = textOf(line);
    chain = chained(chain, body);
    text += `${chain} ${body}\n`;
  }
  return { text, chain };
}

function parsed<S extends v.GenericSchema>(schema: S, json: string): v.InferOutput<S> | null {
  try {
    const result = v.safeParse(schema, JSON.parse(json));
    return result.success ? result.output : null;
  } catch {
    return null;
  }
}

/** What comes before the entries, each in its place: without one of these lines the entries are what they were. */
const head = ['o', 'a', 'n'] as const;

export function readJournal(text: string): Journal {
  /** What may be hashed with the next line: that of a damaged line is known by the line itself, or by those before it. */
  let chains: readonly Chain[] = [''];
  let by: Owner | null = null;
  let about: AboutCopy | null = null;
  let left = false;
  let order = 0;
  let damaged = false;
  let ended = false;
  const entries: string[] = [];
  // What follows the last line's end is a line that was not finished.
  for (const [i, line] of text.split('\n').slice(0, -1).entries()) {
    const written = line.slice(0, hashLength);
    const body = line.slice(hashLength + 1);
    if (!line.startsWith(`${written} `) || !chains.some((chain) => chained(chain, body) === written)) {
      damaged = true;
      // An order may be missing, and an entry stand in its place.
      ended ||= i >= head.length || (head[i] === 'n' && !body.startsWith('n'));
      chains = [written, ...chains.map((chain) => chained(chain, body))].slice(0, head.length);
      continue;
    }
    chains = [written];
    const rest = body.slice(1);
    left = body === 'l';
    if (body.startsWith('o')) by = parsed(owner, rest) ?? by;
    else if (body.startsWith('a')) about = parsed(aboutCopy, rest) ?? about;
    else if (body.startsWith('n')) order = parsed(v.number(), rest) ?? order;
    else if (body.startsWith('e') && !ended) entries.push(rest);
  }
  return { owner: by, about, entries, left, order, damaged: damaged || entries.length === 0 };
}
