import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/** Tools that demand a default export of what they are given. */
const configurations = ['**/*.config.{js,ts,mjs}', 'test/support/stray-errors.ts'];

// ESLint demands a default export.
export default ts.config(
  { ignores: ['node_modules/', 'out/', 'release/', 'test-results/', '.cache/', '**/*.generated.ts'] },
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
    files: ['**/*.ts', '**/*.svelte'],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      // What is known to be there is said by ! alone, one habit for all.
      '@typescript-eslint/non-nullable-type-assertion-style': 'error',
      '@typescript-eslint/no-deprecated': 'error',
    },
  },
  { files: ['**/*.svelte', '**/*.svelte.ts'], languageOptions: { parserOptions: { parser: ts.parser } } },
  // A Map or Set that no view reads is a plain one.
  { files: ['src-renderer/**'], rules: { 'svelte/prefer-svelte-reactivity': 'off' } },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  { files: ['src-renderer/**', 'src-main/preload/**'], languageOptions: { globals: globals.browser } },
  { files: ['electron.config.ts', ...configurations], rules: { 'no-restricted-syntax': 'off' } },
);
