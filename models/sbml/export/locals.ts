/**
 * Parameters that are a kinetic law's own in the file: those that came so, under the name `R.k` of a document's names, and of
 * which the rate of the reaction R alone makes use. All others are the model's.
 */
import type { Document } from '../../format/document.ts';
import { walk } from '../../formula/syntax.ts';
import { writtenOut } from '../written-out.ts';
import { valueOf, type References } from './references.ts';

/** For each reaction, parameter → its id in the law. */
export function localParameters(document: Document, known: References): readonly ReadonlyMap<string, string>[] {
  const names = Object.entries(document.names ?? {}).flatMap(([name, reference]) =>
    typeof reference === 'string' ? [[name, reference] as const] : [],
  );
  return known.reactions.map(({ name = '', rate }, j) => {
    const own = known.ode ? known.outputOf(name) : name;
    const isReaction = (id: string): boolean => id === name || names.some(([each, of]) => each === id && of === own);
    const used = new Set([...walk(writtenOut(rate))].flatMap((node) => (node.kind === 'name' ? [node.name] : [])));
    const came = names.flatMap(([each, reference]) => {
      const [reaction = '', id = '', ...more] = each.split('.');
      const fits = more.length === 0 && isReaction(reaction) && used.has(reference) && !known.isOwn(reference);
      const block = known.blocks.get(reference);
      const isPlain = block?.kind === 'parameter' && valueOf(block) !== undefined;
      return fits && /^[A-Za-z_]\w*$/.test(id) && isPlain && !isUsedBeside(document, reference, j)
        ? [[reference, id] as const]
        : [];
    });
    const others = [...used].filter((each) => !came.some(([reference]) => reference === each));
    const taken = new Set(
      others.flatMap((each) => [
        each,
        ...names.flatMap(([id, of]) => (of === each || of === known.ownReference(each) ? [id] : [])),
      ]),
    );
    const counts = new Map<string, number>();
    for (const [, id] of came) counts.set(id, (counts.get(id) ?? 0) + 1);
    return new Map(came.filter(([, id]) => !taken.has(id) && counts.get(id) === 1));
  });
}

/** Whether a word of any other block or formula is its id; a word of a label counts, which costs nothing but the place. */
function isUsedBeside({ blocks, names: _, ...rest }: Document, reference: string, j: number): boolean {
  const others = blocks.flatMap((block): unknown[] => {
    if (block.id === reference) return [];
    if (block.kind !== 'ode') return [block];
    return [
      { ...block, reactions: (block.reactions ?? []).map((each, i) => (i === j ? { ...each, rate: '' } : each)) },
    ];
  });
  const words = new Set<string>(JSON.stringify([others, rest]).match(/[A-Za-z_]\w*/g));
  return words.has(reference);
}
