/** One use of a kind of block, as the search offers it. */
import type { KindName } from '../../../../models/facts/kinds.ts';
import type { Element } from '../ports.ts';

export interface Use {
  readonly hint: string;
  /** Further words under which it is found. */
  readonly words: string;
  /** The id's stem. */
  readonly stem: string;
  readonly make: Readonly<Record<string, unknown>>;
  /** The port that takes a wire drawn to this block; without one it takes none. */
  readonly port?: string;
  /** What the wire makes of it, where that is more than the port's key. */
  readonly wired?: (reference: string) => Readonly<Record<string, unknown>>;
  readonly takes?: (element: Element, rank: number) => boolean;
  /** The result's type in words, from that of what is wired in. */
  readonly gives: (element: Element, shape: string) => string;
  readonly noOutput?: boolean;
  /** Its formula has been typed already. */
  readonly written?: true;
}

export interface Recipe extends Use {
  readonly kind: KindName;
  readonly title: string;
}

/** What a port takes. */
export const any = () => true;
export const array = (_: Element, rank: number) => rank > 0;
export const numeric = (element: Element) => element !== 'bool';
export const numericArray = (element: Element, rank: number) => element !== 'bool' && rank > 0;
/** What comes out, in words. */
export const same = (element: Element, shape: string) => `${element} ${shape}`.trim();
export const real = (_: Element, shape: string) => `real ${shape}`.trim();
/** The shape without its first axis. */
export const dropped = (element: Element, shape: string) => {
  const rest = shape.slice(1, -1).split(', ').slice(1).join(', ');
  return rest === '' ? element : `${element} [${rest}]`;
};
