/** How options' texts become values; what is refused says what was wanted. */
import { InvalidArgumentError } from 'commander';
import { fileURLToPath } from 'node:url';
import { Refused } from '../refused.ts';

export function wholeNumber(minimum: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < minimum)
      throw new InvalidArgumentError(`Wanted a whole number of at least ${minimum}.`);
    return value;
  };
}

export function shareBetween(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < 1))
    throw new InvalidArgumentError('Wanted a number between 0 and 1, as 0.95.');
  return value;
}

export function aboveZero(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0 && value < Infinity))
    throw new InvalidArgumentError('Wanted a number above 0, as 0.05.');
  return value;
}

export function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Wanted a number, as 10.');
  return value;
}

export function portNumber(text: string): number {
  const value = wholeNumber(0)(text);
  if (value > 65535) throw new InvalidArgumentError('Wanted a port from 0 to 65535.');
  return value;
}

/** A path, or the `file://` URL that desktops give instead. */
export function filePath(text: string): string {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    throw new InvalidArgumentError('Wanted a path, or a file:// URL of this machine.');
  }
}

export function filePaths(text: string, previous: readonly string[] = []): string[] {
  return [...previous, filePath(text)];
}

/** `a,b` and repetition alike; a comma within brackets parts nothing. */
export function list(text: string, previous: readonly string[] = []): string[] {
  const items = text.split(/,(?![^()]*\))/).map((item) => item.trim());
  if (items.some((item) => item === '')) throw new InvalidArgumentError('Wanted ids separated by commas.');
  return [...previous, ...items];
}

export function repeated(text: string, previous: readonly string[] = []): string[] {
  return [...previous, text];
}

/** Options that every command on a model takes. */
export interface ModelOptions {
  readonly device: 'auto' | 'cpu' | 'webgpu' | 'reference';
  readonly precision: 'f64' | 'f32';
  readonly set: readonly string[];
  readonly json: boolean;
}

/** `BLOCK=NAME` of each `--rule`. */
export function parseRules(texts: readonly string[]): Map<string, string> {
  const rules = new Map<string, string>();
  for (const text of texts) {
    const [block = '', name = '', ...more] = text.split('=').map((part) => part.trim());
    if (block === '' || name === '' || more.length > 0)
      throw new Refused(`--rule wants BLOCK=NAME, as in total=reduce-general, got "${text}"`);
    if (rules.has(block)) throw new Refused(`--rule names the block "${block}" twice`);
    rules.set(block, name);
  }
  return rules;
}
