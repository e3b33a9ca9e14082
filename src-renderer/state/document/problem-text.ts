/** Problems as sentences beside the block that they are about: its name need not be said again. */
import type { Problem } from '../../../src-main/contract/contract.ts';

/** Rows by what the grid labels them with, reactions and events by what the editor of equations does. */
function asLabelled(text: string): string {
  return text
    .replace(/\brow \d+ \(index (\d+)\)/g, 'row $1')
    .replace(/^(reaction|event) (\d+)\b/, (_, what: string, index: string) => `${what} ${Number(index) + 1}`);
}

/**
 * Keys of a document as what they are set to in the window: `say "type": "real"` is what is written there, and of a key within
 * another, `say "fit": {"agq": 9}`, the inner one is.
 */
export function inWords(text: string): string {
  const said = (value: string): string =>
    value.startsWith('[') ? value.slice(1, -1).replaceAll('"', '').replaceAll(',', ', ') : value.replaceAll('"', '');
  return text
    .replace(/(?<!: )\{("\w+": [^{},]+)\}/g, '$1')
    .replace(
      /(?:\b(say |or ))?"(\w+)": ("[^"]*"|\[[^\]]*\]|\{[^{}]*\}|-?[\d.]+|true|false|null)/g,
      (_, before: string | undefined, outer: string, given: string) => {
        const [, inner, own] = /^\{"(\w+)": ([^,]+)\}$/.exec(given) ?? [];
        const [key, value] = inner === undefined ? [outer, given] : [`${inner} of ${outer}`, own!];
        return before === undefined
          ? `${key} ${said(value)}`
          : `${before === 'say ' ? 'set ' : before}${key} to ${said(value)}`;
      },
    );
}

export function problemText({ message, block }: Pick<Problem, 'message' | 'block'>): string {
  const prefix = `block "${block}": `;
  const own = block !== undefined && message.startsWith(prefix) ? message.slice(prefix.length) : message;
  const text = inWords(asLabelled(own));
  return text === '' ? text : text[0]!.toUpperCase() + text.slice(1);
}

/** What is wrong and how it is mended, in one line. */
export function problemLine(problem: Pick<Problem, 'message' | 'block' | 'fix'>): string {
  const text = problemText(problem);
  return problem.fix === undefined ? text : `${text.replace(/[.:;]$/, '')}: ${inWords(problem.fix)}`;
}
