/** What plots may be drawn with, by the names that a document has for them. */

/** Colours, and the tokens of the visual language that they are: told apart without red and green. */
export const plotColors = {
  blue: 'g1',
  orange: 'g2',
  black: 'g3',
  purple: 'g4',
  teal: 'real',
  grey: 'ink-3',
} as const satisfies Readonly<Record<string, string>>;

export const plotSymbols = ['circle', 'square', 'triangle', 'diamond', 'cross'] as const;
export type PlotSymbol = (typeof plotSymbols)[number];

/** Lengths of stroke and gap, in the order in which groups take them: a shape or a dash tells as much as a colour. */
export const plotDashes: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

/** On which side of the limit at which it stands an observation lies of which nothing else is known; in an interval, above where that begins. */
export const censoredSides = ['left', 'right', 'interval'] as const;
export type CensoredSide = (typeof censoredSides)[number];
