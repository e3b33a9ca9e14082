import { readFileSync } from 'node:fs';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { expect, test } from 'vitest';
import { constantTable, functionTable } from '../../../models/formula/documentation.ts';
import { completions, formulaParser } from '../../../models/formula/language.ts';
import { asId, freeNames, isReservedName, reservedNames } from '../../../models/formula/names.ts';
import { parsed } from './support.ts';

/** A table without the blanks and dashes that align its columns. */
function plain(table: string): string {
  return table
    .replaceAll(/ +/g, ' ')
    .replaceAll(/-+/g, '-')
    .replaceAll(/ ?\| ?/g, '|');
}

test('docs/formulas.md has the tables that the lists give', () => {
  const text = readFileSync(new URL('../../../docs/formulas.md', import.meta.url), 'utf8');
  for (const table of [functionTable(), constantTable()]) expect(plain(text)).toContain(plain(table));
});

test('the reserved names are those of the format', () => {
  const functions =
    'exp exp2 log log2 log10 log1p expm1 sqrt cbrt hypot abs sign sin cos tan asin acos atan atan2 sinh cosh tanh pow min ' +
    'max floor ceil round trunc mod erf erfc lgamma digamma polygamma xlogy logistic logaddexp clamp real length';
  const others = 'pi e inf nan index true false and or not if';
  expect([...reservedNames].sort()).toEqual(`${functions} ${others}`.split(' ').sort());
  expect(isReservedName('constructor') || isReservedName('time')).toBe(false);
});

test('every word that is reserved is offered', () => {
  expect(completions.map((completion) => completion.word).sort()).toEqual([...reservedNames].sort());
});

test('free names come in the order of first use, without constants and definitions', () => {
  const formula = parsed('d = b*exp(index) + pi\nd + length(z) + a + b + __proto__ + if(a > e, c, inf)');
  expect(freeNames(formula)).toEqual(['b', 'z', 'a', '__proto__', 'c']);
});

test('highlighting tells names, numbers, functions and operators apart, in broken text too', () => {
  const text = 'r = 2*sin(x) +';
  const found: string[] = [];
  const style = tagHighlighter([
    { tag: tags.definition(tags.variableName), class: 'definition' },
    { tag: tags.variableName, class: 'name' },
    { tag: tags.function(tags.variableName), class: 'function' },
    { tag: tags.number, class: 'number' },
    { tag: tags.arithmeticOperator, class: 'operator' },
  ]);
  highlightTree(formulaParser.parse(text), style, (from, to, name) => found.push(`${text.slice(from, to)} ${name}`));
  expect(found).toEqual(['r definition', '2 number', '* operator', 'sin function', 'x name', '+ operator']);
});

test.each([
  ['Conc. (mg/L)', 'Conc_mg_L'],
  ['Aktivität', 'Aktivitaet'],
  ['Größe', 'Groesse'],
  ['Übergang', 'Uebergang'],
  ['température', 'temperature'],
  ['λ max', 'lambda_max'],
  ['2θ', 'c_2'],
  ['Δt', 'Deltat'],
])('the header %s is called %s', (header, id) => expect(asId(header)).toBe(id));
