import { editing } from './edits/edits.ts';
import { fits } from './fits/fits.ts';
import type { SuiteName } from './names.ts';
import { paper } from './paper/paper.ts';
import { primitives } from './primitives.ts';
import { pytorch } from './pytorch.ts';
import { rules } from './rules.ts';
import { sliders } from './sliders/sliders.ts';
import { starts } from './starts/starts.ts';
import { stop } from './stop.ts';
import type { Measurement, Suite } from './suite.ts';

/** Every suite, as one of measurements of which no more is known. */
export const suites: { readonly [S in SuiteName]: Suite<Measurement> } = {
  paper,
  primitives,
  fits,
  starts,
  stop,
  edits: editing,
  sliders,
  pytorch,
  rules,
};
