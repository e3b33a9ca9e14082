/** Which package a bundled module belongs to, and what is written of its licence. */
import { describe, expect, it } from 'vitest';
import { fontPackages, licences, licencesText, packageFolder } from '../../build/licences.mjs';

describe('licences', () => {
  it('are of the package nearest to a module', () => {
    expect(packageFolder('/x/node_modules/katex/dist/katex.mjs')).toBe('/x/node_modules/katex');
    expect(packageFolder('node_modules/@stdlib/a/node_modules/@stdlib/b/lib/index.js')).toBe(
      'node_modules/@stdlib/a/node_modules/@stdlib/b',
    );
    expect(packageFolder('/x/node_modules/svelte/src/index.js?raw')).toBe('/x/node_modules/svelte');
    expect(packageFolder('/x/src-main/cli/main.ts')).toBeUndefined();
  });

  it('name every package once, with version, licence and text, the fonts among them', () => {
    const found = licences(['node_modules/chart.js/dist/chart.js', 'node_modules/chart.js/dist/helpers.js']);
    expect(found.map(({ name }) => name)).toEqual([...fontPackages, 'chart.js'].sort());
    for (const { version, licence, text } of found) {
      expect(version).toMatch(/^\d+\.\d+/);
      expect(licence).toMatch(/^(MIT|OFL-1\.1)$/);
      expect(text).toMatch(/copyright/i);
    }
  });

  it('are written with ours first, and a text that several share once', () => {
    const same = { version: '1.0.0', licence: 'MIT', text: 'Do as you like.' };
    const text = licencesText([
      { name: 'a', ...same },
      { name: 'b', ...same },
    ]);
    expect(text.startsWith('Cotangent\n\nMIT License')).toBe(true);
    expect(text.split('Do as you like.').length).toBe(2);
    expect(text).toContain('a 1.0.0 (MIT)\nb 1.0.0 (MIT)');
  });
});
