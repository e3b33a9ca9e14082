/** What is said of kinds and families, held to what they take: a fact that no schema or family knows misleads everybody. */
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { families, familyNames, losses, lossNames, priorNames, priors } from '../../../models/facts/families.ts';
import { kindFacts, measuresMisfit, readsNames, type KindName } from '../../../models/facts/kinds.ts';
import type { BlockKindName, BlockOf } from '../../../models/blocks/block.ts';
import { blockKinds, kindOf } from '../../../models/blocks/index.ts';
import { blockKind, type BlockBase } from '../../../models/blocks/kind.ts';
import { families as implemented } from '../../../models/objective/families.ts';
import { priorFamilies } from '../../../models/objective/priors.ts';
import { recipes } from '../../../src-renderer/state/document/recipes.ts';
import { portKeys } from '../../../src-renderer/state/words/kinds.ts';

const kinds = Object.keys(kindFacts) as KindName[];
/** Of these keys, those that the schema of the kind does not have. */
const unknownAmong = (kind: KindName, keys: readonly string[]): unknown[] =>
  (v.safeParse(blockKinds[kind].schema, Object.fromEntries(keys.map((key) => [key, null]))).issues ?? [])
    .filter(({ message }) => message.includes('unknown key'))
    .map(({ path }) => path?.[0]?.key);

describe('kinds', () => {
  it('are those that documents may have', () => {
    expectTypeOf<KindName>().toEqualTypeOf<BlockKindName>();
    expect(kinds).toEqual(Object.keys(blockKinds));
  });

  it('are facts before they are anything else: a kind without them is a type error', () => {
    const body = {
      schema: kindOf({ id: '', kind: 'map' }).schema,
      wires: () => [],
      infer: () => undefined,
      lower: () => [],
    };
    // @ts-expect-error a kind that models/facts/kinds.ts does not know
    blockKind<BlockBase & { readonly kind: 'not-yet' }, undefined>({ ...body, kind: 'not-yet' });
    // @ts-expect-error a kind with facts that does nothing yet
    const list = blockKinds satisfies { readonly [K in KindName | 'not-yet']: unknown };
    expect(list).toBe(blockKinds);
  });

  it.each(kinds)('%s has keys for all that is said of it', (kind) => {
    const { ports, optional = [], fields } = kindFacts[kind];
    const said = [...ports, ...optional, ...fields.map(({ key }) => key)];
    expect(unknownAmong(kind, said)).toEqual([]);
    expect(unknownAmong(kind, [...said, 'no-such-key'])).toEqual(['no-such-key']);
  });

  it.each(kinds)('%s measures misfit if its facts say so', (kind) => {
    expect('objective' in blockKinds[kind]).toBe(measuresMisfit(kind));
  });

  it.each(kinds)('%s takes names of formulas as ports if its facts say so', (kind) => {
    const recipe = recipes.find((made) => made.kind === kind);
    const { wires } = kindOf({ id: 'b', kind });
    const implicit = recipe && wires({ id: 'b', ...recipe, ...recipe.make, kind }).some((wire) => wire.implicit);
    if (implicit) expect(readsNames(kind)).toBe(true);
  });
});

describe('families', () => {
  it('are those that are implemented', () => {
    expect(Object.keys(implemented)).toEqual(familyNames);
    expect(Object.keys(priorFamilies)).toEqual(priorNames);
  });

  it.each(familyNames)('%s has in the window the ports that it takes, however it is spelled', (family) => {
    const { arguments: own, ...rest }: { arguments: object; spelling?: object } = families[family];
    for (const spelled of [own, rest.spelling ?? own]) {
      const given = Object.fromEntries(Object.keys(spelled).map((key) => [key, `its-${key}`]));
      const block = { id: 'loss', kind: 'likelihood', family, observed: 'y', ...given } as BlockOf<'likelihood'>;
      const wired = blockKinds.likelihood.wires(block).map(({ port }) => port);
      expect([...portKeys(block).required].sort()).toEqual([...wired].sort());
    }
  });

  it.each(priorNames)('the prior %s begins at all of its arguments', (name) => {
    expect(Object.keys(priors[name].begin)).toEqual(Object.keys(priors[name].arguments));
  });

  it('losses are those of least squares', () => {
    for (const kind of lossNames) {
      const { schema } = blockKinds['least-squares'];
      const block = { id: 'loss', kind: 'least-squares', prediction: 'f', observed: 'y' };
      const reads = (loss: object) => v.safeParse(schema, { ...block, loss }).success;
      expect(reads({ kind, ...losses[kind].begin })).toBe(true);
      expect(reads({ kind: `not-${kind}` })).toBe(false);
    }
  });
});
