/** What a file gives no value, and its dynamics are made of all the same: NaN in the document, until somebody gives one. */
import { freeNames } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import type { BlockJson } from './blocks.ts';

/** Names in a sentence. */
const most = 8;

export function unsetWarnings(blocks: readonly BlockJson[]): string[] {
  const used = new Set(blocks.flatMap((block) => textsIn(block).flatMap(namesIn)));
  const constants = blocks.flatMap(({ id, kind, initial }) =>
    kind === 'parameter' && initial === 'NaN' && used.has(id) ? [id] : [],
  );
  const states = blocks.flatMap(({ state = {} }) =>
    Object.entries(state as Record<string, { readonly initial: unknown }>).flatMap(([name, { initial }]) =>
      initial === 'NaN' ? [name] : [],
    ),
  );
  return [
    ...(constants.length === 0 ? [] : [`it gives no value to ${listed(constants)}: NaN, until the document has one`]),
    ...(states.length === 0
      ? []
      : [`it does not say where ${listed(states)} begins: NaN, until the document has an "initial"`]),
  ];
}

/** Every text of a block, formulas among them. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function namesIn(text: string): string[] {
  const parsed = parseFormula(text);
  return parsed.ok ? freeNames(parsed.formula) : [];
}

function listed(names: readonly string[]): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names
    .slice(0, most)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`;
}
