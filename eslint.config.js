import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/**
 * Oxlint holds all that is TypeScript or JavaScript to its rules (.oxlintrc.json), those that ask for types on the compiler in
 * Go, ten times sooner; it does not read components, which have the same rules from here.
 */
const { ignorePatterns, rules } = JSON.parse(readFileSync(new URL('.oxlintrc.json', import.meta.url), 'utf8'));
const ofTypeScript = new Set([
  'no-unused-vars',
  'no-array-constructor',
  'no-useless-constructor',
  'no-unused-expressions',
]);
const shared = Object.fromEntries(
  Object.entries(rules).flatMap(([name, setting]) => {
    if (name.startsWith('import/')) return [];
    const plain = name.replace('typescript/', '');
    return [[plain !== name || ofTypeScript.has(name) ? `@typescript-eslint/${plain}` : name, setting]];
  }),
);

// ESLint demands a default export.
export default defineConfig(
  { ignores: ignorePatterns },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [js.configs.recommended, ts.configs.strict, svelte.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      globals: globals.browser,
      parserOptions: {
        parser: ts.parser,
        // The window and what it asks of the rest: the tests' program would be twice as large, and made anew for each component.
        project: 'build/components/tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    // A Map or Set that no view reads is a plain one. What is not declared is found by the types.
    rules: {
      ...shared,
      'svelte/prefer-svelte-reactivity': 'off',
      'no-undef': 'off',
      // Properties are declared together, some to be bound.
      'prefer-const': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
);
