/** The tables of docs/formulas.md, from the lists that the compiler reads. */
import { formulaConstants, indexSummary } from './constants.ts';
import { formulaFunctions, functionNames, signature } from './functions.ts';

export function functionTable(): string {
  return table(
    'function',
    functionNames.map((name) => [signature(name), formulaFunctions[name].summary]),
  );
}

export function constantTable(): string {
  const constants = Object.entries(formulaConstants).map(([name, { summary }]): [string, string] => [name, summary]);
  return table('name', [...constants, ['index', indexSummary]]);
}

function table(head: string, rows: readonly (readonly [code: string, text: string])[]): string {
  const lines = rows.map(([code, text]) => `| \`${code}\` | ${text.replaceAll('|', '\\|')} |`);
  return [`| ${head} | what it is |`, '|---|---|', ...lines].join('\n');
}
