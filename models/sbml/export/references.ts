/**
 * What the names in a document stand for, as its one ode block has them: references are ids of blocks (`k`) and outputs of that
 * block (`model.S`). Without an ode block all is made of the time.
 */
import type { Block, BlockOf } from '../../blocks/block.ts';
import { reactionsOf, type OdeBlock } from '../../blocks/ode/schema.ts';
import type { Document } from '../../format/document.ts';
import { walk, type Expression } from '../../formula/syntax.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { refuse } from '../refusal.ts';
import { rewrite } from '../syntax.ts';
import { writtenOut } from '../written-out.ts';
import { nameMath } from './write-math.ts';

/** The block that `simulate` takes for the time where nothing is solved. */
const usualAxis = 'time';

export const constantNames: ReadonlySet<string> = new Set(['pi', 'e', 'inf', 'nan']);

/** Of a solver with one state, which answers to its id alone. */
export const soleState = ({ state }: BlockOf<'ode'>): string => Object.keys(state)[0] ?? '';

/** Of a block that is a plain number. */
export function valueOf(block: Block | undefined): number | undefined {
  if (block?.kind === 'parameter') return isDocumentNumber(block.initial) ? toNumber(block.initial) : undefined;
  if (block?.kind === 'constant') return isDocumentNumber(block.value) ? toNumber(block.value) : undefined;
  return undefined;
}

export class References {
  readonly ode: OdeBlock | undefined;
  /** The block that is the time. */
  readonly axis: string;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly reactions: ReturnType<typeof reactionsOf>;

  /** Throws `SbmlRefusal` where the document has no time, or two. */
  constructor({ blocks }: Document) {
    const [ode, second] = blocks.filter((block): block is BlockOf<'ode'> => block.kind === 'ode');
    this.blocks = new Map(blocks.map((block) => [block.id, block]));
    if (!ode && this.blocks.get(usualAxis)?.kind !== 'range')
      refuse(
        `the document has no ode block and no range "${usualAxis}" of which formulas are made, and SBML says how things change`,
      );
    if (ode && second) refuse(`the document has two ode blocks, "${ode.id}" and "${second.id}", and SBML has one time`);
    this.ode = ode;
    this.axis = ode?.times ?? usualAxis;
    this.reactions = ode ? reactionsOf(ode) : [];
  }

  /** Whether it is something here: the time, an output of the ode block, a number, or a map of such. */
  stands(reference: string, path: readonly string[] = []): boolean {
    if (reference === this.axis) return true;
    const local = this.local(reference);
    if (local !== undefined) return this.isOwn(local);
    const block = this.blocks.get(reference);
    if (valueOf(block) !== undefined) return true;
    if (block?.kind !== 'map' || block.formula === undefined || path.includes(reference)) return false;
    return this.namesIn(block).every((each) => this.stands(each, [...path, reference]));
  }

  /** Whether it changes with time; of what stands. */
  varies(reference: string): boolean {
    if (reference === this.axis || this.local(reference) !== undefined) return true;
    const block = this.blocks.get(reference);
    return block?.kind === 'map' && this.namesIn(block).some((each) => this.varies(each));
  }

  private namesIn({ formula = '', inputs = {} }: BlockOf<'map'>): string[] {
    return [...walk(writtenOut(formula))].flatMap((node) =>
      node.kind === 'name' && !constantNames.has(node.name) ? [this.whole(inputs[node.name] ?? node.name)] : [],
    );
  }

  /** Of a named formula or a map: with references for its names. */
  formulaOf(reference: string): Expression | undefined {
    const local = this.local(reference);
    const own = local === undefined ? undefined : this.ode?.formulas?.[local];
    const block = this.blocks.get(reference);
    const text = own ?? (block?.kind === 'map' ? block.formula : undefined);
    if (text === undefined) return undefined;
    const inputs = (block?.kind === 'map' ? block.inputs : undefined) ?? {};
    const referenceOf = (name: string): string =>
      own === undefined ? this.whole(inputs[name] ?? name) : this.ownReference(name);
    return rewrite(writtenOut(text), (node) =>
      node.kind === 'name' && !constantNames.has(node.name) ? nameMath(referenceOf(node.name)) : node,
    );
  }

  /** What a name in a formula of the block stands for: of its own first. */
  ownReference(name: string): string {
    return this.isOwn(name) ? this.outputOf(name) : this.whole(name);
  }

  isOwn(name: string): boolean {
    const { state = {}, formulas = {} } = this.ode ?? {};
    return (
      Object.hasOwn(state, name) ||
      Object.hasOwn(formulas, name) ||
      this.reactions.some((each) => each.name === name) ||
      name.startsWith('reactions.')
    );
  }

  outputOf(own: string): string {
    return `${this.ode!.id}.${own}`;
  }

  /** The name of an output of the ode block; undefined of any other reference. */
  local(reference: string): string | undefined {
    return this.ode && reference.startsWith(`${this.ode.id}.`) ? reference.slice(this.ode.id.length + 1) : undefined;
  }

  /** With its output, where the ode block has one alone and is named by its id. */
  whole(reference: string): string {
    return reference === this.ode?.id ? this.outputOf(soleState(this.ode)) : reference;
  }
}
