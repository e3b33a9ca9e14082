/**
 * The window's state under vitest: modules with runes are compiled as for a browser, in which `$derived` follows and
 * `$state` notifies. (Svelte's own plugin compiles for a server whatever runs in Node.)
 */
import { compileModule } from 'svelte/compiler';
import type { Plugin } from 'vite';

export function runes(): Plugin {
  return {
    name: 'runes',
    // By then types are gone.
    enforce: 'post',
    transform(code, id) {
      const filename = id.replace(/\?.*$/, '');
      if (!filename.endsWith('.svelte.ts')) return undefined;
      const { js } = compileModule(code, { filename, generate: 'client' });
      return { code: js.code, map: js.map };
    },
  };
}
