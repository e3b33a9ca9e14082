/** What the window asks of kinds of blocks, and the operators in words. What is true of a kind says models/facts. */
import { familyNames, spelledArguments, type FamilyName } from '../../../models/facts/families.ts';
import type { KindFacts } from '../../../models/facts/kind.ts';
import { factsOf } from '../../../models/facts/kinds.ts';

/** What there is to draw of a kind that no document may have. */
const unknownKind: Pick<KindFacts, 'icon' | 'title' | 'ports' | 'optional' | 'fields'> = {
  icon: 'unknown',
  title: 'unknown kind',
  ports: [],
  fields: [],
};

export type Kind = typeof unknownKind;

export function kindOf(name: string): Kind {
  return factsOf(name) ?? unknownKind;
}

const isFamily = (name: unknown): name is FamilyName => familyNames.some((family) => family === name);

/** The keys of a block that must be wired and those that may be; a key that holds a number needs no wire. */
export function portKeys(block: Readonly<Record<string, unknown>> & { readonly kind: string }): {
  readonly required: readonly string[];
  readonly optional: readonly string[];
} {
  const { ports, optional = [] } = kindOf(block.kind);
  const family = block.kind === 'likelihood' ? block['family'] : undefined;
  const more = isFamily(family)
    ? Object.keys(spelledArguments(family, (key) => block[key] !== undefined).arguments)
    : [];
  const isNumber = (key: string) => typeof block[key] === 'number';
  return {
    required: [...ports, ...more].filter((key) => !isNumber(key)),
    optional: family === undefined ? optional.filter((key) => !isNumber(key)) : [],
  };
}

/** The operators that a document calls by name, in words and as a sign. */
export const operators = [
  { name: 'add', title: 'sum', sign: '\\Sigma' },
  { name: 'multiply', title: 'product', sign: '\\Pi' },
  { name: 'min', title: 'smallest', sign: '\\min' },
  { name: 'max', title: 'largest', sign: '\\max' },
  { name: 'logaddexp', title: 'log of the sum of exponentials', sign: '\\log\\Sigma e' },
] as const;
