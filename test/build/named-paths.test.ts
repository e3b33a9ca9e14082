/** What documents and comments name must be there: a path that has moved misleads whoever follows it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const houses = ['engine', 'models', 'src-main', 'src-renderer', 'test', 'build', 'docs'];
const among = houses.join('|');
/** Whole from the root, or from a floor of the engine. */
const path = new RegExp(String.raw`(?<![\w./-])(?:(?:${among})|[0-7]-[a-z]+)/[\w./*-]*[\w*]`, 'g');
/** Made while the project is built or tested, or examples of what one might write. */
const made = /^(?:build\/out|test\/that|docs\/benchmarks$)/;

/** As it is, or a source whose ending is left out, as the basename of a construct on several floors is. */
function isThere(named: string): boolean {
  const at = /^\d-/.test(named) ? `engine/${named}` : named;
  // Of a pattern, and of what a reader is to name, the folder.
  const whole = at.replace(/[^/]*(?:\*|NAME).*$/, '');
  return (
    made.test(at) || ['', '.ts', '.svelte', '.md', '.mjs'].some((ending) => existsSync(join(root, whole + ending)))
  );
}

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));

/** A source named without its folder is one of them. */
const basenames = new Set(
  [...houses, '.']
    .flatMap((house) => (house === '.' ? readdirSync(root) : filesIn(house, /./)))
    .map((file) => basename(file)),
);
const bareName = /(?<![\w./*-])[\w-]+\.(?:svelte\.ts|ts|svelte|mjs)(?![\w/])/g;

const missingIn = (text: string): string[] => [...new Set(text.match(path) ?? [])].filter((named) => !isThere(named));

it.each(['README.md', 'ARCHITECTURE.md', ...filesIn('docs', /\.md$/)])('%s names what is there', (file) => {
  const text = readFileSync(join(root, file), 'utf8');
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  expect(quoted.flatMap(missingIn)).toEqual([]);
  const bare = quoted.flatMap((code) => code.match(bareName) ?? []).filter((name) => !/NAME/.test(name));
  expect(bare.filter((name) => !basenames.has(name))).toEqual([]);
});

it('comments in sources name what is there', () => {
  const sources = ['engine', 'models', 'src-main', 'src-renderer', 'build'].flatMap((house) =>
    filesIn(house, /\.(?:ts|svelte|mjs)$/),
  );
  const missing = sources.flatMap((file) => {
    const comments = readFileSync(join(root, file), 'utf8').match(/\/\*[\s\S]*?\*\/|(?<!:)\/\/[^\n]*/g) ?? [];
    return missingIn(comments.join('\n')).map((named) => `${file}: ${named}`);
  });
  expect(missing).toEqual([]);
});
