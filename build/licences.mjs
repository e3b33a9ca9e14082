/**
 * The licences of everything that the bundles contain: the packages of which a module went into one, and the packages of
 * the fonts. Electron brings those of its own parts (LICENSES.chromium.html).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './prepare.mjs';

/** Their style sheets are taken in by other style sheets, where no bundler tells of them. */
export const fontPackages = ['@fontsource-variable/inter', '@fontsource-variable/stix-two-text', 'katex'];

/** Of a module's path the folder of its package, below the project; undefined where it is a module of our own. */
export function packageFolder(module) {
  const match = /^.*[/\\]?node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(module.replace(/^\0/, '').split('?')[0]);
  return match?.[0];
}

/** A package's name, version, licence by SPDX, and the text of its licence. */
function licenceOf(folder) {
  const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)/i.test(name));
  const texts = files.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
  const licence = typeof about.license === 'string' ? about.license : (about.license?.type ?? 'see its text');
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  return {
    ...{ name: about.name, version: about.version, licence },
    text: texts.join('\n\n') || `${licence}${author ? `, ${author}` : ''}. The package has no text of its licence.`,
  };
}

/** The nearest folder above a module that names a package: a package may have folders with a package.json of their own. */
function named(folder) {
  const file = join(folder, 'package.json');
  if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name) return folder;
  return named(dirname(folder));
}

/** `modules`: paths of all modules of all bundles, absolute or relative to the project. */
export function licences(modules) {
  const folders = new Set(fontPackages.map((name) => join(root, 'node_modules', name)));
  for (const module of modules) {
    const folder = packageFolder(module);
    if (folder !== undefined) folders.add(named(join(folder.startsWith(root) ? '' : root, folder)));
  }
  return [...folders].map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Packages that share a text stand above it together. */
export function licencesText(found) {
  const rule = '-'.repeat(78);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const byText = new Map();
  for (const { name, version, licence, text } of found)
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version} (${licence})`]);
  const parts = [...byText].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  const opening = `Cotangent\n\n${own}`;
  return `${[opening, 'It contains the following, each under a licence of its own.', ...parts].join(`\n\n${rule}\n\n`)}\n`;
}
