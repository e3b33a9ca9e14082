/**
 * What the search for a block offers: kinds, and the uses of kinds that people look for by name (the largest, a running
 * sum). A recipe makes the block; opened from a port, only what fits it is offered and the wire comes with it.
 */
import type { BlockDraft } from './draft.ts';
import type { IconName } from './kinds.ts';
import { kindOf } from './kinds.ts';
import type { Element } from './ports.ts';
import { withSource } from './wiring.ts';

export interface Recipe {
  readonly kind: string;
  readonly title: string;
  readonly hint: string;
  /** Further words under which it is found. */
  readonly words: string;
  /** The id's stem. */
  readonly stem: string;
  readonly make: Readonly<Record<string, unknown>>;
  /** The port that takes a wire drawn to this block; without one it takes none. */
  readonly port?: string;
  readonly takes?: (element: Element, rank: number) => boolean;
  /** The result's type in words, from that of what is wired in. */
  readonly gives: (element: Element, shape: string) => string;
  readonly noOutput?: boolean;
}

const any = () => true;
const array = (_: Element, rank: number) => rank > 0;
const numeric = (element: Element) => element !== 'bool';
const numericArray = (element: Element, rank: number) => element !== 'bool' && rank > 0;
const same = (element: Element, shape: string) => `${element} ${shape}`.trim();
const real = (_: Element, shape: string) => `real ${shape}`.trim();
/** The shape without its first axis. */
const dropped = (element: Element, shape: string) => {
  const rest = shape.slice(1, -1).split(', ').slice(1).join(', ');
  return rest === '' ? element : `${element} [${rest}]`;
};

export const recipes: readonly Recipe[] = [
  {
    kind: 'map',
    title: 'map',
    hint: 'a formula',
    words: 'formula function expression elementwise',
    stem: 'f',
    make: { formula: 'x' },
    port: 'x',
    takes: any,
    gives: real,
  },
  {
    kind: 'parameter',
    title: 'parameter',
    hint: 'what a fit may change',
    words: 'slider unknown variable',
    stem: 'k',
    make: { initial: 1 },
    gives: () => 'real',
  },
  {
    kind: 'constant',
    title: 'constant',
    hint: 'a number that stays',
    words: 'number value',
    stem: 'c',
    make: { value: 1 },
    gives: () => 'real',
  },
  {
    kind: 'column',
    title: 'column',
    hint: 'from a table',
    words: 'data table',
    stem: 'column',
    make: {},
    gives: () => 'real [n]',
  },
  {
    kind: 'least-squares',
    title: 'least squares',
    hint: 'fit to observations',
    words: 'objective loss chi residuals sum',
    stem: 'misfit',
    make: {},
    port: 'prediction',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
  {
    kind: 'least-squares',
    title: 'least squares',
    hint: 'as the observations',
    words: 'objective loss observed data',
    stem: 'misfit',
    make: {},
    port: 'observed',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
  {
    kind: 'likelihood',
    title: 'likelihood',
    hint: 'Poisson counts',
    words: 'objective poisson negative log',
    stem: 'likelihood',
    make: { family: 'poisson' },
    port: 'mean',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
  {
    kind: 'likelihood',
    title: 'likelihood',
    hint: 'normal errors',
    words: 'objective gaussian negative log',
    stem: 'likelihood',
    make: { family: 'normal', sigma: 1 },
    port: 'mean',
    takes: numericArray,
    gives: () => 'real',
    noOutput: true,
  },
  {
    kind: 'reduce',
    title: 'reduce',
    hint: 'the sum',
    words: 'add total sum fold',
    stem: 'sum',
    make: { operator: 'add' },
    port: 'values',
    takes: numericArray,
    gives: dropped,
  },
  {
    kind: 'reduce',
    title: 'reduce',
    hint: 'the largest',
    words: 'max maximum fold',
    stem: 'largest',
    make: { operator: 'max' },
    port: 'values',
    takes: numericArray,
    gives: dropped,
  },
  {
    kind: 'reduce',
    title: 'reduce',
    hint: 'the smallest',
    words: 'min minimum fold',
    stem: 'smallest',
    make: { operator: 'min' },
    port: 'values',
    takes: numericArray,
    gives: dropped,
  },
  {
    kind: 'reduce',
    title: 'reduce',
    hint: 'the product',
    words: 'multiply fold',
    stem: 'product',
    make: { operator: 'multiply' },
    port: 'values',
    takes: numericArray,
    gives: dropped,
  },
  {
    kind: 'scan',
    title: 'scan',
    hint: 'running sum',
    words: 'add cumulative prefix cumsum',
    stem: 'running',
    make: { operator: 'add' },
    port: 'values',
    takes: numericArray,
    gives: same,
  },
  {
    kind: 'scan',
    title: 'scan',
    hint: 'running max',
    words: 'maximum cumulative prefix',
    stem: 'running',
    make: { operator: 'max' },
    port: 'values',
    takes: numericArray,
    gives: same,
  },
  {
    kind: 'scan',
    title: 'scan',
    hint: 'running product',
    words: 'multiply cumulative prefix',
    stem: 'running',
    make: { operator: 'multiply' },
    port: 'values',
    takes: numericArray,
    gives: same,
  },
  {
    kind: 'histogram',
    title: 'histogram',
    hint: 'sum by key',
    words: 'add reduce by index bin count',
    stem: 'binned',
    make: { operator: 'add', bins: 10 },
    port: 'values',
    takes: numericArray,
    gives: (element) => `${element} [10]`,
  },
  {
    kind: 'histogram',
    title: 'histogram',
    hint: 'as the keys',
    words: 'reduce by index bin count',
    stem: 'binned',
    make: { operator: 'add', bins: 10 },
    port: 'keys',
    takes: (element, rank) => element === 'int' && rank === 1,
    gives: () => 'real [10]',
  },
  {
    kind: 'histogram',
    title: 'histogram',
    hint: 'max by key',
    words: 'maximum reduce by index',
    stem: 'binned',
    make: { operator: 'max', bins: 10 },
    port: 'values',
    takes: numericArray,
    gives: (element) => `${element} [10]`,
  },
  {
    kind: 'recurrence',
    title: 'recurrence',
    hint: 'step by step',
    words: 'loop iterate state time series',
    stem: 'series',
    make: { state: { x: { initial: 0, next: 'x + u' } } },
    port: 'u',
    takes: array,
    gives: real,
  },
  {
    kind: 'gather',
    title: 'gather',
    hint: 'take by index',
    words: 'index lookup take',
    stem: 'taken',
    make: {},
    port: 'from',
    takes: array,
    gives: same,
  },
  {
    kind: 'gather',
    title: 'gather',
    hint: 'as the indices',
    words: 'index lookup take',
    stem: 'taken',
    make: {},
    port: 'indices',
    takes: (element, rank) => element === 'int' && rank > 0,
    gives: (_, shape) => `real ${shape}`,
  },
  {
    kind: 'scatter',
    title: 'scatter',
    hint: 'put by index',
    words: 'index put write',
    stem: 'put',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'shift',
    title: 'shift',
    hint: 'the one before',
    words: 'lag previous delay',
    stem: 'before',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'slice',
    title: 'slice',
    hint: 'a part of an axis',
    words: 'range part',
    stem: 'part',
    make: { start: 0 },
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'reverse',
    title: 'reverse',
    hint: 'back to front',
    words: 'flip',
    stem: 'reversed',
    make: {},
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'transpose',
    title: 'transpose',
    hint: 'swap axes',
    words: 'matrix axes',
    stem: 'transposed',
    make: {},
    port: 'values',
    takes: (_, rank) => rank > 1,
    gives: same,
  },
  {
    kind: 'reshape',
    title: 'reshape',
    hint: 'same elements, other axes',
    words: 'matrix axes',
    stem: 'reshaped',
    make: { shape: [-1] },
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'concatenate',
    title: 'concatenate',
    hint: 'one after the other',
    words: 'join append',
    stem: 'joined',
    make: { values: [] },
    port: 'values',
    takes: array,
    gives: same,
  },
  {
    kind: 'matmul',
    title: 'matrix product',
    hint: 'from the left',
    words: 'matmul dot linear',
    stem: 'product',
    make: {},
    port: 'left',
    takes: numericArray,
    gives: () => 'real',
  },
  {
    kind: 'range',
    title: 'range',
    hint: '0, 1, 2, …',
    words: 'iota index count sequence',
    stem: 'i',
    make: { length: 10 },
    gives: () => 'int [10]',
  },
  {
    kind: 'likelihood',
    title: 'likelihood',
    hint: 'binomial',
    words: 'objective logistic probability',
    stem: 'likelihood',
    make: { family: 'binomial', trials: 1 },
    port: 'probability',
    takes: numeric,
    gives: () => 'real',
    noOutput: true,
  },
];

export function iconOf(recipe: Recipe): IconName {
  return kindOf(recipe.kind).icon;
}

/** What the search was opened from: an output to be taken, an input to be fed, or nothing. */
export type Wanting =
  | {
      readonly from: 'output';
      readonly reference: string;
      readonly element: Element;
      readonly rank: number;
      readonly shape: string;
    }
  | { readonly from: 'input'; readonly id: string; readonly port: string }
  | undefined;

export function fitting(wanting: Wanting): readonly Recipe[] {
  if (!wanting) return recipes.filter((recipe, i) => firstOfUse(recipe, i));
  if (wanting.from === 'input') return recipes.filter((recipe, i) => !recipe.noOutput && firstOfUse(recipe, i));
  return recipes.filter((recipe) => recipe.port !== undefined && recipe.takes?.(wanting.element, wanting.rank));
}

/** Without a wire, `as the keys` and `by key` are one and the same. */
function firstOfUse(recipe: Recipe, index: number): boolean {
  const alike = (other: Recipe) =>
    other.kind === recipe.kind && JSON.stringify(other.make) === JSON.stringify(recipe.make);
  return recipes.findIndex(alike) === index;
}

/** Every word of the query has to begin a word of the recipe; titles before hints before other words. */
export function search(list: readonly Recipe[], query: string): readonly Recipe[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const score = (recipe: Recipe): number => {
    let total = 0;
    for (const word of words) {
      const begins = (text: string) =>
        text
          .toLowerCase()
          .split(/[\s-]+/)
          .some((part) => part.startsWith(word));
      if (begins(recipe.title)) total += 3;
      else if (begins(recipe.hint)) total += 2;
      else if (begins(recipe.words)) total += 1;
      else return -1;
    }
    return total;
  };
  return list
    .map((recipe, i) => ({ recipe, i, rank: score(recipe) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank || a.i - b.i)
    .map(({ recipe }) => recipe);
}

/** The block, wired to what the search was opened from. */
export function blockFrom(recipe: Recipe, id: string, wanting: Wanting): BlockDraft {
  const block: BlockDraft = { id, kind: recipe.kind, ...recipe.make };
  if (wanting?.from !== 'output' || recipe.port === undefined) return block;
  if (recipe.kind === 'map') return { ...block, formula: wanting.reference };
  if (recipe.kind === 'recurrence') return { ...block, inputs: { [recipe.port]: wanting.reference } };
  return withSource(block, recipe.port, wanting.reference);
}
