/** What every section of a report is made of. */
import { escapeXml } from '../../models/notation/escape-xml.ts';
import { digitsApart } from '../../models/notation/digits.ts';

export const section = (title: string, ...parts: readonly string[]): string => {
  const body = parts.filter((part) => part !== '').join('\n');
  return body === '' ? '' : `<section><h2>${escapeXml(title)}</h2>\n${body}\n</section>`;
};

export const paragraph = (text: string): string => (text === '' ? '' : `<p>${escapeXml(text)}</p>`);

/** Nothing where there is no picture. */
export const figure = (svg: string | undefined, caption: string): string =>
  svg === undefined ? '' : `<figure>${svg}<figcaption>${escapeXml(caption)}</figcaption></figure>`;

const usualDigits = 7;

/** To seven digits; a dash where there is no number, ∞ beyond all. */
export const numberText = (value: number): string => figureText({ value, digits: usualDigits });

function figureText({ value, digits }: Figure): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}

/** A number that is read beside others. */
export interface Figure {
  readonly value: number;
  readonly digits: number;
}

/** Each with the digits that tell the ends apart between which they lie. */
export function within(lower: number, upper: number, ...values: readonly number[]): Figure[] {
  const digits = digitsApart([lower, upper], usualDigits);
  return values.map((value) => ({ value, digits }));
}

/** Markup that is written here and nowhere comes from a document. */
export interface Markup {
  readonly html: string;
}

export type Cell = string | number | Figure | Markup | undefined;

const isFigure = (cell: Cell): cell is Figure => typeof cell === 'object' && 'digits' in cell;

/** Numbers stand at the right; a column in which nothing stands is left out. */
export function table(titles: readonly string[], cells: readonly (readonly Cell[])[], caption = ''): string {
  const used = titles.map((_, column) => cells.some((row) => row[column] !== undefined && row[column] !== ''));
  const rows = cells.map((row) => row.filter((_, column) => used[column]));
  const head = titles.filter((_, column) => used[column]);
  const isNumber = head.map((_, column) =>
    rows.every(({ [column]: value }) => value === undefined || typeof value === 'number' || isFigure(value)),
  );
  const cell = (value: Cell): string => {
    if (typeof value === 'number') return `<td class="number">${numberText(value)}</td>`;
    if (isFigure(value)) return `<td class="number">${figureText(value)}</td>`;
    return `<td>${typeof value === 'object' ? value.html : escapeXml(value ?? '')}</td>`;
  };
  const heads = head.map(
    (title, i) => `<th scope="col"${isNumber[i] ? ' class="number"' : ''}>${escapeXml(title)}</th>`,
  );
  const titled = caption === '' ? '' : `<caption>${escapeXml(caption)}</caption>`;
  const body = rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('\n');
  return `<div class="wide" tabindex="0"><table>${titled}<thead><tr>${heads.join('')}</tr></thead>\n<tbody>${body}</tbody></table></div>`;
}
