/** The model document, format version 1, as it stands in the file. */
import * as v from 'valibot';
import type { Block } from '../blocks/block.ts';
import { marginalFacts } from '../facts/marginals.ts';
import { fitFacts, namesOf } from '../facts/methods.ts';
import { count, named, oneOf, positiveCount, refs, strict, text } from '../notation/fields.ts';
import { furtherNames } from './further-names.ts';
import { plotLook } from '../notation/plot-look.ts';
import type { TableEntry } from '../notation/table-entry.ts';

export const formatVersion = 'cotangent/1';

const position = v.pipe(v.array(v.number('a number'), 'a position [x, y]'), v.length(2, 'a position [x, y]'));

/** Where things are drawn; nothing in it changes a result. */
const view = strict({
  positions: v.exactOptional(named(position, 'positions by block id')),
  /** Version 1 leaves the insides of a frame to who draws it. */
  frames: v.exactOptional(v.array(v.unknown(), 'a list of frames')),
  notes: v.exactOptional(v.array(strict({ text, at: position }), 'a list of notes')),
  probes: v.exactOptional(v.array(strict({ block: text, port: text, at: position }), 'a list of probes')),
  /** Other models of the same tables, to be compared with the document's: whoever draws them checks them. */
  candidates: v.exactOptional(v.array(v.unknown(), 'a list of candidates')),
  folds: v.exactOptional(v.array(v.string('a block id'), 'a list of block ids')),
  /** How the plot of an objective block looks, or the profile of a parameter. */
  plots: v.exactOptional(named(plotLook, 'looks by block id')),
});

export const fitEntries = {
  method: v.exactOptional(oneOf(namesOf(fitFacts))),
  starts: v.exactOptional(positiveCount),
  seed: v.exactOptional(count()),
  /** How random effects are integrated out; false where they are not. */
  marginal: v.exactOptional(
    v.union(
      [v.picklist(namesOf(marginalFacts)), v.literal(false), strict({ agq: positiveCount })],
      `${namesOf(marginalFacts)
        .map((name) => `"${name}"`)
        .join(', ')}, {"agq": n} or false`,
    ),
  ),
};

/** The document without its tables' and blocks' insides, which are read one by one. */
export const envelope = strict({
  format: v.literal(formatVersion, `"${formatVersion}"`),
  name: v.exactOptional(text),
  note: v.exactOptional(text),
  tables: v.exactOptional(v.unknown()),
  blocks: v.array(v.unknown(), 'a list of blocks'),
  objective: v.exactOptional(refs),
  names: v.exactOptional(furtherNames),
  fit: v.exactOptional(strict(fitEntries)),
  view: v.exactOptional(view),
});

export interface Document extends Omit<v.InferOutput<typeof envelope>, 'tables' | 'blocks'> {
  readonly tables?: Readonly<Record<string, TableEntry>>;
  readonly blocks: readonly Block[];
}
