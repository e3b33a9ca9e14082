/** What is true of a kind of block wherever it is named: plain data, which the window may import too. */
export type KindGroup = 'sources' | 'formulas' | 'combine' | 'select' | 'shape' | 'objective' | 'structure';

export type IconName =
  | 'column'
  | 'parameter'
  | 'constant'
  | 'range'
  | 'map'
  | 'reduce'
  | 'scan'
  | 'histogram'
  | 'recurrence'
  | 'filter'
  | 'gather'
  | 'scatter'
  | 'shape'
  | 'matmul'
  | 'objective'
  | 'quantity'
  | 'group'
  | 'unknown';

/** A key that people set in a form, and how. */
export type Field =
  | { readonly type: 'formula'; readonly key: string; readonly label: string }
  /** A record of formulas (`outputs` of a map). */
  | { readonly type: 'formulas'; readonly key: string; readonly label: string }
  /** States or unknowns, their starts and their formulas. */
  | {
      readonly type: 'state';
      readonly key: 'state' | 'unknown';
      readonly label: string;
      readonly formula: 'next' | 'rate' | 'equation';
    }
  | { readonly type: 'operator'; readonly key: string; readonly label: string }
  | { readonly type: 'number'; readonly key: string; readonly label: string; readonly hint?: string }
  /** A number or a nested array, written as JSON. */
  | { readonly type: 'numbers'; readonly key: string; readonly label: string }
  | { readonly type: 'choice'; readonly key: string; readonly label: string; readonly choices: readonly Choice[] }
  | { readonly type: 'truth'; readonly key: string; readonly label: string }
  /** A robust loss: a family with its scale. */
  | { readonly type: 'loss'; readonly key: string; readonly label: string }
  | { readonly type: 'table'; readonly key: string; readonly label: string }
  | { readonly type: 'column'; readonly key: string; readonly label: string };

/** `value` undefined stands for the key's absence: the default. */
export interface Choice {
  readonly value: string | undefined;
  readonly label: string;
}

/** Heights up to 10; a bar of the second tone has another key, or is what the first is set against. */
export type Bar = number | readonly [height: number, tone: 'second'];

/** What the kind does, in small: bars that go in, bars that come out; or a drawing where bars cannot say it. */
export interface Picture {
  readonly before?: readonly Bar[];
  readonly after?: readonly Bar[];
  /** Strokes on a field of 88 by 28; `accent` is what the block makes. */
  readonly lines?: string;
  readonly accent?: string;
}

/** TeX, and the same for who hears it. */
export type Equation = readonly [tex: string, spoken: string];

/** How something is explained to people. */
export interface Explanation {
  readonly equations: readonly Equation[];
  /** What the letters stand for, or what is done to find it. */
  readonly where: string;
  readonly source?: string;
}

export interface KindFacts extends Explanation {
  /** Its name in words. */
  readonly title: string;
  /** One line, for the palette and the documentation. */
  readonly summary: string;
  readonly group: KindGroup;
  readonly icon: IconName;
  /** Measures misfit: a fit can minimise it. */
  readonly objective?: true;
  /** The keys that must be wired, in the order of the ports. A list key has a port for each element. */
  readonly ports: readonly string[];
  /** The keys that may be. */
  readonly optional?: readonly string[];
  readonly fields: readonly Field[];
  readonly picture: Picture;
}

export const axis: Field = { type: 'number', key: 'axis', label: 'Axis', hint: '0' };
export const operator: Field = { type: 'operator', key: 'operator', label: 'Operator' };
export const second = (height: number): Bar => [height, 'second'];
