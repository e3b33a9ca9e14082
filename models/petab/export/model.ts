/** The model that all lanes share: one ode block of scalars, whose constants and beginnings are what every lane has, or what conditions set. */
import type { Block, BlockOf } from '../../blocks/block.ts';
import type { OdeBlock } from '../../blocks/ode/schema.ts';
import type { Document } from '../../format/document.ts';
import { printExpression } from '../../formula/print.ts';
import { walk, type Expression } from '../../formula/syntax.ts';
import { fromNumber, isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { freshNames } from '../../sbml/names.ts';
import { name, number, rewrite } from '../../sbml/syntax.ts';
import { writtenOut } from '../../sbml/written-out.ts';
import { isSame, type Lane } from './courses.ts';
import { isOwn } from './dynamics.ts';
import type { Elements } from './elements.ts';
import { folded, numeral } from './fold.ts';

type Ode = BlockOf<'ode'>;

export interface SharedModel {
  readonly document: Document;
  /** Of its blocks those that conditions set. */
  readonly changed: ReadonlySet<string>;
  /** Constant of the ode block → block of the document that conditions set. */
  readonly varying: ReadonlyMap<string, string>;
  /** Blocks of the original document that stand in it under their ids. */
  readonly written: ReadonlySet<string>;
  /** Whether a condition says how a state begins. */
  begins(state: string): boolean;
  /** Parameters that are fixed, and no block of the model, by their numbers. */
  settled(expression: Expression): Expression;
}

export function modelOf(
  document: Document,
  blocks: ReadonlyMap<string, Block>,
  first: Ode,
  lanes: readonly Lane[],
  elements: Elements,
): SharedModel {
  const names = freshNames([...blocks.keys(), ...Object.keys(first.state), ...Object.keys(first.formulas ?? {})]);
  const written: Block[] = [];
  const own = new Set<string>();
  const add = (block: Block): void => {
    if (!own.has(block.id)) written.push(block);
    own.add(block.id);
  };
  const parametersIn = (expression: Expression): void => {
    for (const node of walk(expression)) {
      const block = node.kind === 'name' ? blocks.get(node.name) : undefined;
      if (block?.kind === 'parameter') add(block);
    }
  };
  const fixed = (id: string, value: number): Block => ({
    id,
    kind: 'parameter',
    initial: fromNumber(value),
    fixed: true,
  });

  const varying = new Map<string, string>();
  const same = (values: readonly (Expression | undefined)[]): Expression | undefined =>
    values.every((value) => isSame(value, values[0])) ? values[0] : undefined;
  for (const constant of lanes[0]?.constants.keys() ?? []) {
    const value = same(lanes.map(({ constants }) => constants.get(constant)));
    const isParameter = elements.isParameter(constant);
    if (value === undefined) {
      const id = isParameter ? names.fresh(`${constant}_set`) : constant;
      varying.set(constant, id);
      add(fixed(id, numeral(lanes[0]?.constants.get(constant) ?? number(1)) ?? 1));
    } else if (isParameter) add(blocks.get(constant)!);
    else {
      const known = numeral(value);
      parametersIn(value);
      add(
        known === undefined ? { id: constant, kind: 'map', formula: printExpression(value) } : fixed(constant, known),
      );
    }
  }

  const firsts = lanes.filter(({ states }) => ![...states.values()].some((value) => hangs(value, elements)));
  const beginning = new Map(
    Object.keys(first.state).map((state) => [state, same(firsts.map(({ states }) => states.get(state)))]),
  );
  const state = Object.fromEntries(
    Object.entries(first.state).map(([id, about]) => {
      const value = beginning.get(id);
      const known = value === undefined ? 0 : numeral(value);
      if (value) parametersIn(value);
      const initial = known === undefined && value ? startOf(id, value) : fromNumber(known ?? 0);
      return [id, { ...about, ...renamedIn(about), initial }];
    }),
  );
  function startOf(id: string, value: Expression): string {
    if (value.kind === 'name') return value.name;
    const block = names.fresh(`${id}_0`);
    add({ id: block, kind: 'map', formula: printExpression(value) });
    return block;
  }
  function renamed(text: string | number): string {
    if (isDocumentNumber(text)) return String(toNumber(text));
    if (![...varying].some(([constant, id]) => constant !== id)) return text;
    return printExpression(
      rewrite(writtenOut(text), (node) =>
        node.kind === 'name' && !isOwn(first, node.name) ? name(varying.get(node.name) ?? node.name) : node,
      ),
    );
  }
  function renamedIn({ rate, per }: OdeBlock['state'][string]): { rate?: string; per?: string } {
    return { ...(rate !== undefined && { rate: renamed(rate) }), ...(per !== undefined && { per: renamed(per) }) };
  }
  const eachRenamed = (texts: Readonly<Record<string, string | number>>): Record<string, string> =>
    Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, renamed(text)]));
  const changedTexts = [...varying].some(([constant, id]) => constant !== id);
  const ode: Ode = {
    ...first,
    from: 0,
    state,
    ...(changedTexts && {
      ...(first.reactions && { reactions: first.reactions.map((each) => ({ ...each, rate: renamed(each.rate) })) }),
      ...(first.formulas && { formulas: eachRenamed(first.formulas) }),
      ...(first.events && {
        events: first.events.map((event) =>
          'when' in event
            ? {
                ...event,
                when: renamed(event.when),
                set: eachRenamed(event.set),
                ...(event.scaled && { scaled: eachRenamed(event.scaled) }),
                ...(event.delay !== undefined && { delay: renamed(event.delay) }),
                ...(event.priority !== undefined && { priority: renamed(event.priority) }),
              }
            : event,
        ),
      }),
    }),
  };
  return {
    document: { ...document, blocks: [...written, ode] },
    changed: new Set(varying.values()),
    varying,
    written: own,
    begins: (id) => beginning.get(id) === undefined,
    settled: (expression) =>
      rewrite(expression, (node) => {
        const block = node.kind === 'name' ? blocks.get(node.name) : undefined;
        if (block?.kind !== 'parameter' || block.fixed !== true || own.has(block.id)) return folded(node);
        return isDocumentNumber(block.initial) ? number(toNumber(block.initial)) : node;
      }),
  };
}

const hangs = (expression: Expression, elements: Elements): boolean =>
  [...walk(expression)].some((node) => elements.solutionOf(node) !== undefined);
