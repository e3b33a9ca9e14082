/**
 * Single elements of a document's values, as formulas over its parameters and what its ode blocks give: element i of a map
 * is its formula of elements, of a gather an element of what it is gathered from. Data are numbers.
 */
import type { Block, BlockOf } from '../../blocks/block.ts';
import { kindOf } from '../../blocks/index.ts';
import { parseFormula } from '../../formula/parse.ts';
import type { Expression } from '../../formula/syntax.ts';
import { asList } from '../../notation/fields.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { soleState } from '../../sbml/export/references.ts';
import { refuse } from '../../sbml/refusal.ts';
import { name, number, rewrite } from '../../sbml/syntax.ts';
import { folded } from './fold.ts';

/** What a run of the document gives: row-major, by reference. */
export type KnownValues = ReadonlyMap<
  string,
  { readonly shape: readonly number[]; readonly values: ArrayLike<number> }
>;

/** An output of an ode block, in a lane and at an output time of it. */
export interface SolutionElement {
  readonly ode: string;
  readonly own: string;
  readonly lane: number;
  readonly slot: number;
}

interface ElementOf {
  readonly from: string;
  readonly at: number;
}

const constants = new Set(['pi', 'e', 'inf', 'nan']);
const sources = new Set(['parameter', 'ode', 'solve', 'random-effect', 'quantity', 'likelihood', 'least-squares']);

export class Elements {
  private readonly blocks: ReadonlyMap<string, Block>;
  private readonly known: KnownValues;
  private readonly solutions = new Map<string, SolutionElement>();
  private readonly data = new Map<string, boolean>();

  constructor(blocks: ReadonlyMap<string, Block>, known: KnownValues) {
    [this.blocks, this.known] = [blocks, known];
  }

  /** Of a number itself, or element `index` (row-major) of a reference. Throws a refusal that names what cannot be said. */
  at(reference: string | number, index: number): Expression {
    if (isDocumentNumber(reference)) return number(toNumber(reference));
    const { id, own } = this.parted(reference);
    const block = this.blocks.get(id) ?? refuse(`"${reference}" leads to no block that PEtab can have`);
    if (this.isData(id)) return number(this.valueAt(reference, index));
    switch (block.kind) {
      case 'parameter':
        if (this.count(reference) > 1)
          return refuse(`the parameter "${id}" has several elements, and PEtab's have one`);
        return name(id);
      case 'ode': {
        const { shape } = this.shapeOf(reference);
        const lanes = shape.slice(1).reduce((product, size) => product * size, 1);
        return this.solution({
          ode: id,
          own: own ?? soleState(block),
          lane: index % lanes,
          slot: Math.floor(index / lanes),
        });
      }
      case 'gather':
      case 'reshape':
      case 'concatenate': {
        const { from, at } = this.source(block, index);
        return this.at(from, at);
      }
      case 'map':
        return this.ofMap(block, reference, index);
      default:
        return refuse(`"${id}" is a ${block.kind}, which PEtab cannot say of parameters or solutions`);
    }
  }

  /** What a name in an element stands for. */
  solutionOf(expression: Expression): SolutionElement | undefined {
    return expression.kind === 'name' ? this.solutions.get(expression.name) : undefined;
  }

  isParameter(id: string): boolean {
    return this.blocks.get(id)?.kind === 'parameter';
  }

  has(reference: string): boolean {
    return this.known.has(reference);
  }

  count(reference: string): number {
    return this.shapeOf(reference).shape.reduce((product, size) => product * size, 1);
  }

  shapeOf(reference: string): { readonly shape: readonly number[]; readonly values: ArrayLike<number> } {
    return this.known.get(reference) ?? refuse(`"${reference}" leads to no value that PEtab can have`);
  }

  /** Of data. */
  valueAt(reference: string, index: number): number {
    const { values } = this.shapeOf(reference);
    return Number(values[values.length === 1 ? 0 : index]);
  }

  /** Whether a block's values hang on no parameter. */
  isData(id: string): boolean {
    const known = this.data.get(id);
    if (known !== undefined) return known;
    const block = this.blocks.get(id);
    this.data.set(id, false);
    const found =
      block !== undefined &&
      !sources.has(block.kind) &&
      kindOf(block)
        .wires(block)
        .every(({ ref }) => this.isData(this.parted(ref).id));
    this.data.set(id, found);
    return found;
  }

  private parted(reference: string): { readonly id: string; readonly own: string | undefined } {
    const dot = reference.indexOf('.');
    return dot < 0 ? { id: reference, own: undefined } : { id: reference.slice(0, dot), own: reference.slice(dot + 1) };
  }

  /** The first of `among` that element `index` of a reference is taken from as it is. */
  origin(reference: string, index: number, among: ReadonlySet<string>): ElementOf | undefined {
    if (among.has(reference)) return { from: reference, at: index };
    const block = this.blocks.get(reference);
    if (block?.kind !== 'gather' && block?.kind !== 'reshape' && block?.kind !== 'concatenate') return undefined;
    const { from, at } = this.source(block, index);
    return this.origin(from, at, among);
  }

  private source(block: BlockOf<'gather' | 'reshape' | 'concatenate'>, index: number): ElementOf {
    if (block.kind === 'reshape') return { from: block.values, at: index };
    if (block.kind === 'gather') {
      const { id, from, indices } = block;
      const { shape } = this.shapeOf(from);
      if (!this.isData(this.parted(indices).id)) refuse(`"${id}" gathers by indices that hang on parameters`);
      const inner = shape.slice(1).reduce((product, size) => product * size, 1);
      return { from, at: this.valueAt(indices, Math.floor(index / inner)) * inner + (index % inner) };
    }
    if ((block.axis ?? 0) !== 0) return refuse(`"${block.id}" goes along another axis than the first`);
    let rest = index;
    for (const each of asList(block.values)) {
      const count = this.count(each);
      if (rest < count) return { from: each, at: rest };
      rest -= count;
    }
    return refuse(`"${block.id}" has no element ${index}`);
  }

  private solution(element: SolutionElement): Expression {
    const key = `&${element.ode}.${element.own}[${element.slot},${element.lane}]`;
    this.solutions.set(key, element);
    return name(key);
  }

  private ofMap(block: BlockOf<'map'>, reference: string, index: number): Expression {
    const { own } = this.parted(reference);
    const text = own === undefined ? block.formula : block.outputs?.[own];
    const parsed = text === undefined ? undefined : parseFormula(text);
    if (!parsed?.ok) return refuse(`the formula of "${block.id}" cannot be said in PEtab`);
    const { shape } = this.shapeOf(reference);
    const defined = new Map<string, Expression>();
    const put = (expression: Expression): Expression =>
      rewrite(expression, (node) => {
        if (node.kind !== 'name') return folded(node);
        const known = defined.get(node.name);
        if (known) return known;
        if (node.name === 'index') return refuse(`"${block.id}" uses its index, which PEtab does not have`);
        const port = block.inputs?.[node.name];
        if (port === undefined && constants.has(node.name)) return node;
        const from = port ?? node.name;
        return this.at(from, broadcast(index, shape, this.shapeOf(from).shape));
      });
    for (const { name: each, value } of parsed.formula.definitions) defined.set(each, put(value));
    return put(parsed.formula.result);
  }
}

/** Where element `index` of `shape` is read in an array that broadcasts to it: its last axes, of which those of 1 stretch. */
function broadcast(index: number, shape: readonly number[], from: readonly number[]): number {
  let [rest, place, stride] = [index, 0, 1];
  for (let axis = 1; axis <= shape.length; axis++) {
    const size = shape[shape.length - axis]!;
    const own = from[from.length - axis] ?? 1;
    if (own > 1) place += (rest % size) * stride;
    stride *= own;
    rest = Math.floor(rest / size);
  }
  return place;
}
