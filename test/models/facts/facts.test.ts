/** What is said of kinds and families, held to what they take: a fact that no schema or family knows misleads everybody. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fitMethods, type FitMethod as EngineFitMethod } from '../../../engine/6-fit/methods.ts';
import type { ShardedMethod } from '../../../engine/7-study/ensembles/shards.ts';
import type { SensitivityMethod as EngineSensitivityMethod } from '../../../engine/7-study/sensitivity/problem.ts';
import type {
  ShardedUncertainty,
  UncertaintyMethod as EngineUncertaintyMethod,
} from '../../../engine/7-study/uncertainty/study.ts';
import { families, familyNames, losses, lossNames, priorNames, priors } from '../../../models/facts/families.ts';
import { kindFacts, measuresMisfit, readsNames, type KindName } from '../../../models/facts/kinds.ts';
import type { FitFacts, SensitivityFacts } from '../../../models/facts/method.ts';
import {
  fitFacts,
  listed,
  namesOf,
  sensitivityFacts,
  uncertaintyFacts,
  type FitMethod,
  type SensitivityMethod,
  type ShardedStudy,
  type UncertaintyMethod,
} from '../../../models/facts/methods.ts';
import type { BlockKindName, BlockOf } from '../../../models/blocks/block.ts';
import { blockKinds, kindOf } from '../../../models/blocks/index.ts';
import { blockKind, type BlockBase } from '../../../models/blocks/kind.ts';
import { families as implemented } from '../../../models/objective/families.ts';
import { priorFamilies } from '../../../models/objective/priors.ts';
import { recipes } from '../../../src-renderer/state/document/recipes.ts';
import { methodTopics } from '../../../src-renderer/state/words/help.ts';
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

describe('methods', () => {
  it('are those of the engine, of each kind', () => {
    expectTypeOf<FitMethod>().toEqualTypeOf<EngineFitMethod>();
    expect([...namesOf(fitFacts)].sort()).toEqual(Object.keys(fitMethods).sort());
    expectTypeOf<SensitivityMethod>().toEqualTypeOf<EngineSensitivityMethod>();
    expectTypeOf<UncertaintyMethod>().toEqualTypeOf<EngineUncertaintyMethod>();
    expectTypeOf<Exclude<ShardedStudy, 'multistart'>>().toEqualTypeOf<ShardedMethod | ShardedUncertainty>();
  });

  it('are trusted one more than another, so that one verdict counts', () => {
    const trusts = listed(uncertaintyFacts).map(({ trust }) => trust);
    expect(new Set(trusts).size).toBe(trusts.length);
  });

  it('are facts before they are anything else: a method that says too little is a type error', () => {
    // @ts-expect-error ranked by a figure that has no name
    const nameless: SensitivityFacts = { ...sensitivityFacts.dgsm, ranksBy: 'not-yet' };
    const { ranksBy: _, ...rest } = sensitivityFacts.dgsm;
    // @ts-expect-error ranked by nothing
    const unranked: SensitivityFacts = rest;
    expect(nameless.study).toBe(unranked.study);
  });

  it('are known everywhere by one file and one line: one more is offered, explained, chosen from and refused by name', () => {
    const notYet: FitFacts = {
      title: 'Not yet',
      summary: 'A method of tomorrow.',
      equations: [['x \\leftarrow f(x)', 'x becomes f of x']],
      where: 'f is not known.',
    };
    const more = { ...fitFacts, 'not-yet': notYet };
    expect(listed(more).at(-1)).toEqual({ ...notYet, id: 'not-yet' });
    expect(methodTopics('Fit', 'objective', more).at(-1)).toMatchObject({ id: 'fit not-yet', title: 'Not yet' });
    expect(v.safeParse(v.picklist(namesOf(more)), 'not-yet').success).toBe(true);
    expect(v.safeParse(v.picklist(namesOf(fitFacts)), 'not-yet').success).toBe(false);
    // @ts-expect-error an engine that has no such method
    const missing: EngineFitMethod = namesOf(more)[0];
    expect(missing).toBe(namesOf(fitFacts)[0]);
  });

  it.each([
    ['fitting.md', fitFacts],
    ['uncertainty.md', uncertaintyFacts],
    ['sensitivity.md', sensitivityFacts],
  ])('stand in docs/%s, all of them', (file, facts) => {
    const text = readFileSync(new URL(`../../../docs/${file}`, import.meta.url), 'utf8');
    for (const name of namesOf<string>(facts)) expect(text).toContain(`\`${name}\``);
  });
});
