/**
 * JSON with its faults placed. `JSON.parse` gives no line and lets a later key silently win over an earlier one of the
 * same name; a document that says two things is refused instead.
 *
 * An object's `__proto__` is a key like any other: it is defined as an own property and never reaches the prototype.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** With whole numbers that are beyond 2⁵³, of which a real holds some alone. */
export type ExactJson = null | boolean | number | bigint | string | ExactJson[] | { [key: string]: ExactJson };

export class JsonError extends Error {
  override readonly name = 'JsonError';
  constructor(
    message: string,
    /** Both from 1. */
    readonly line: number,
    readonly column: number,
  ) {
    super(`line ${line}, column ${column}: ${message}`);
  }
}

/** Deeper nesting than any document has; beyond it the stack would go. */
const maximumDepth = 500;

/** Throws `JsonError`. */
export function parseJson(text: string): Json {
  return new JsonReader(text, false).document() as Json;
}

/** With the digits of whole numbers beyond 2⁵³, which tables keep and documents do not. Throws `JsonError`. */
export function parseExactJson(text: string): ExactJson {
  return new JsonReader(text, true).document();
}

export function setOwn(object: object, key: string, value: unknown): void {
  // Defining is slow, and only of this one key is assigning anything else.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else (object as Record<string, unknown>)[key] = value;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;

class JsonReader {
  private at = 0;

  private readonly text: string;

  constructor(
    text: string,
    private readonly exact: boolean,
  ) {
    // A byte order mark is what some editors put in front; it is no part of the text.
    this.text = text.startsWith('\uFEFF') ? text.slice(1) : text;
  }

  document(): ExactJson {
    const value = this.value(0);
    this.space();
    if (this.at < this.text.length) this.fail(`${this.here()} after the end of the document`);
    return value;
  }

  private value(depth: number): ExactJson {
    if (depth > maximumDepth) this.fail(`nested more than ${maximumDepth} deep`);
    this.space();
    const character = this.text[this.at];
    if (character === '{') return this.object(depth);
    if (character === '[') return this.array(depth);
    if (character === '"') return this.string();
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const)
      if (this.text.startsWith(word, this.at) && !/\w/.test(this.text[this.at + word.length] ?? '')) {
        this.at += word.length;
        return value;
      }
    return this.number();
  }

  private object(depth: number): ExactJson {
    const object: { [key: string]: ExactJson } = {};
    this.at++;
    this.space();
    if (this.take('}')) return object;
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') this.fail(`wanted a key in double quotes, got ${this.here()}`);
      const start = this.at;
      const key = this.string();
      if (Object.hasOwn(object, key)) this.fail(`the key ${JSON.stringify(key)} occurs twice in one object`, start);
      this.space();
      if (!this.take(':')) this.fail(`wanted ":" after a key, got ${this.here()}`);
      setOwn(object, key, this.value(depth + 1));
      this.space();
      if (this.take('}')) return object;
      if (!this.take(',')) this.fail(`wanted "," or "}", got ${this.here()}`);
    }
  }

  private array(depth: number): ExactJson {
    const array: ExactJson[] = [];
    this.at++;
    this.space();
    if (this.take(']')) return array;
    for (;;) {
      array.push(this.value(depth + 1));
      this.space();
      if (this.take(']')) return array;
      if (!this.take(',')) this.fail(`wanted "," or "]", got ${this.here()}`);
    }
  }

  private string(): string {
    const start = this.at;
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      if (character === '\\') this.at++;
      else if (character < ' ') this.fail('a line break or control character inside a string');
      else if (character === '"') {
        const literal = this.text.slice(start, ++this.at);
        try {
          return JSON.parse(literal) as string;
        } catch {
          this.fail('a string with an unknown escape', start);
        }
      }
    }
    return this.fail('a string that is not closed', start);
  }

  private number(): number | bigint {
    const pattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found || /[\w.+]/.test(this.text[pattern.lastIndex] ?? '')) this.fail(`wanted a value, got ${this.here()}`);
    const value = Number(found[0]);
    if (!Number.isFinite(value)) this.fail(`${found[0]} is beyond the largest number; infinity is written "Infinity"`);
    this.at = pattern.lastIndex;
    return this.exact && Math.abs(value) >= 2 ** 53 && /^-?\d+$/.test(found[0]) ? BigInt(found[0]) : value;
  }

  private space(): void {
    while (isSpace(this.text.charCodeAt(this.at))) this.at++;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  /** What stands at the reader, for a message. */
  private here(): string {
    const word = /[\w.+-]{1,30}|[^]/uy;
    word.lastIndex = this.at;
    const found = word.exec(this.text);
    return found ? JSON.stringify(found[0]) : 'the end of the file';
  }

  private fail(message: string, at = this.at): never {
    const before = this.text.slice(0, at).split(/\r\n|\r|\n/);
    throw new JsonError(message, before.length, (before.at(-1)?.length ?? 0) + 1);
  }
}
