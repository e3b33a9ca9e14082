/** docs/rules.md names every rule of the list and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { ConstructKind } from '../../../engine/0-ir/program.ts';
import { vjpRules } from '../../../engine/2-ad/vjp.ts';

const text = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8');
const names = vjpRules.map((rule) => rule.name);

it('docs/rules.md has a row for every rule, in the order of the list within each table', () => {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name!);
  const position = (name: string): number => names.indexOf(name);
  expect([...rows].sort()).toEqual([...names].sort());
  for (const construct of new Set(vjpRules.map((rule) => rule.construct))) {
    const own = rows.filter((name) => vjpRules.find((rule) => rule.name === name)?.construct === construct);
    expect(own.map(position)).toEqual(own.map(position).sort((a, b) => a - b));
  }
});

it('a rule is named after its file', () => {
  const folder = fileURLToPath(new URL('../../../engine/2-ad/vjp', import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names) {
    const file = files.find((path) => basename(path) === `${name}.ts`);
    expect(file, name).toBeDefined();
    expect(readFileSync(join(folder, file!), 'utf8')).toContain(`name: '${name}'`);
  }
});

/** Those without a rule carry no derivative, or are inlined before. */
const differentiated: { readonly [K in ConstructKind]: boolean } = {
  literal: false,
  map: true,
  reduce: true,
  scan: true,
  'segmented-scan': true,
  histogram: true,
  'keyed-scan': true,
  recurrence: true,
  history: true,
  solve: true,
  loop: true,
  gather: true,
  scatter: true,
  'sort-permutation': false,
  iota: false,
  replicate: true,
  reverse: true,
  transpose: true,
  reshape: true,
  slice: true,
  concatenate: true,
  matmul: true,
  call: false,
};

it.each(Object.entries(differentiated))('%s has a rule: %s', (construct, has) =>
  expect(vjpRules.some((rule) => rule.construct === construct)).toBe(has),
);
