import { readFileSync } from 'node:fs';
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/**
 * The rules that ask for types. Oxlint holds all that is TypeScript or JavaScript to them, on the compiler in Go, ten times
 * sooner; it does not read components, which have them from here.
 */
const { ignorePatterns, rules } = JSON.parse(readFileSync(new URL('.oxlintrc.json', import.meta.url), 'utf8'));
const typed = Object.fromEntries(
  Object.entries(rules).map(([name, setting]) => [name.replace('typescript/', '@typescript-eslint/'), setting]),
);

/** Tools that demand a default export of what they are given. */
const configurations = ['**/*.config.{js,ts,mjs}', 'test/support/stray-errors.ts'];

// ESLint demands a default export.
export default defineConfig(
  { ignores: ignorePatterns },
  js.configs.recommended,
  ts.configs.strict,
  svelte.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      // An index that a loop's bounds guarantee reads best so under noUncheckedIndexedAccess.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      // Documents are edited as the plain objects that JSON gives.
      '@typescript-eslint/no-dynamic-delete': 'off',
      // Coefficients stand as they were published.
      'no-loss-of-precision': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.svelte'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    rules: typed,
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  // A Map or Set that no view reads is a plain one.
  { files: ['src-renderer/**'], rules: { 'svelte/prefer-svelte-reactivity': 'off' } },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  { files: ['src-renderer/**', 'src-main/preload/**'], languageOptions: { globals: globals.browser } },
  { files: ['electron.config.ts', ...configurations], rules: { 'no-restricted-syntax': 'off' } },
);
