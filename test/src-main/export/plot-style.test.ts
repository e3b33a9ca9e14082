/** Plots outside the window have the window's colours: those of its tokens, in both themes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plotTokens } from '../../../src-main/export/plots/style.ts';

const css = readFileSync(join(import.meta.dirname, '../../../src-renderer/style/tokens.css'), 'utf8');

/** `--name: value` of the text, the last of each name. */
function declarations(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name ?? '', (value ?? '').trim()]),
  );
}

const [light = '', dark = ''] = plotTokens.split('@media');

/** What the tokens say in a theme, names in place of colours followed. */
function tokensOf(theme: string): (name: string) => string | undefined {
  const blockOf = (name: string): string => new RegExp(`\\[data-theme='${name}'\\] \\{([^}]*)\\}`).exec(css)?.[1] ?? '';
  // What the dark theme does not say is as in the light one.
  const tokens = new Map([...declarations(blockOf('light')), ...declarations(blockOf(theme))]);
  const colorOf = (name: string): string | undefined => {
    const value = tokens.get(name);
    const other = /^var\(--([\w-]+)\)$/.exec(value ?? '')?.[1];
    return other === undefined ? value : colorOf(other);
  };
  return colorOf;
}

describe.each([
  ['light', light],
  ['dark', dark],
])('in %s', (theme, written) => {
  it('every colour is the token’s of its name', () => {
    const [found, colorOf] = [declarations(written), tokensOf(theme)];
    expect(found.size).toBeGreaterThan(8);
    for (const [name, color] of found) expect(`${name} ${color}`).toBe(`${name} ${colorOf(name)}`);
  });
});
