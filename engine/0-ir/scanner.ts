/** A cursor over the text of a program. White space separates and means nothing else. */
import type { Size } from './sizes.ts';
import { IrError } from './types.ts';

export class Scanner {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** The match of a pattern at the cursor, which moves past it; undefined, and nothing moves, where there is none. */
  match(pattern: RegExp): string | undefined {
    this.skipSpace();
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  /** Whether the cursor is at `token`; a word is matched whole. */
  is(token: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(token, this.at)) return false;
    const after = this.text[this.at + token.length] ?? '';
    return !(/\w$/.test(token) && /[\w-]/.test(after));
  }

  /** Moves past `token` where the cursor is at it. */
  take(token: string): boolean {
    const found = this.is(token);
    if (found) this.at += token.length;
    return found;
  }

  want(token: string): void {
    if (!this.take(token)) this.fail(`'${token}'`);
  }

  wantMatch(pattern: RegExp, what: string): string {
    return this.match(pattern) ?? this.fail(what);
  }

  whole(what: string): number {
    return Number(this.wantMatch(/-?\d+/, what));
  }

  /** An identifier, or any text in the quotes of JSON. */
  name(): string {
    const quoted = this.match(/"(?:[^"\\\n]|\\.)*"/);
    if (quoted === undefined) return this.wantMatch(/[A-Za-z_]\w*/, 'a name');
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.refuse(`${quoted} is no text in the quotes of JSON`);
    }
  }

  /** `item, item, …` up to `close`, which is taken too. */
  list<T>(close: string, item: () => T): T[] {
    const items: T[] = [];
    if (this.take(close)) return items;
    do items.push(item());
    while (this.take(','));
    this.want(close);
    return items;
  }

  /** `[n, 2*m + 1]`: sizes between brackets. */
  shape(): Size[] {
    this.want('[');
    return this.list(']', () => {
      const text = this.upToSeparator().trim();
      if (text === '') this.fail('a size');
      return /^-?\d+$/.test(text) ? Number(text) : text;
    });
  }

  size(): Size {
    const [size, ...more] = this.shape();
    return size !== undefined && more.length === 0 ? size : this.fail('one size');
  }

  end(): void {
    this.skipSpace();
    if (this.at < this.text.length) this.fail('the end');
  }

  fail(wanted: string): never {
    this.skipSpace();
    const got = this.text.slice(this.at, this.at + 20).split('\n')[0] || 'the end';
    this.refuse(`wanted ${wanted}, got ${got}`);
  }

  /** For what has been read already. */
  refuse(reason: string): never {
    const before = this.text.slice(0, this.at).split('\n');
    throw new IrError(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${reason}`);
  }

  /** The text before the next `,` or `]` that is outside parentheses. */
  private upToSeparator(): string {
    const start = this.at;
    for (let depth = 0; this.at < this.text.length; this.at++) {
      const letter = this.text[this.at];
      if (letter === '(') depth++;
      else if (letter === ')') depth--;
      else if (depth === 0 && (letter === ',' || letter === ']')) break;
    }
    return this.text.slice(start, this.at);
  }

  private skipSpace(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
  }
}
