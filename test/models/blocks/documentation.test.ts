/** Every kind of block and every built-in operator is in the reference of the format, and every kind has a face in the window. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { builtinOperators } from '../../../engine/0-ir/operators.ts';
import { blockKindNames } from '../../../models/blocks/index.ts';
import { kindOf } from '../../../src-renderer/state/words/kinds.ts';

const text = readFileSync(new URL('../../../docs/model-format.md', import.meta.url), 'utf8');

it.each(blockKindNames)('docs/model-format.md says what %s takes', (name) =>
  expect(text).toMatch(new RegExp(`^(\\| )?\`${name}\``, 'm')),
);

it.each(blockKindNames)('the window knows %s', (name) => expect(kindOf(name).icon).not.toBe('unknown'));

it.each(Object.keys(builtinOperators))('docs/model-format.md names the operator %s', (name) =>
  expect(text).toContain(`"${name}"`),
);
