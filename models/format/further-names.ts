/**
 * Names that outputs have beside those of their blocks: those of the file that a document was imported from. A name stands
 * for a reference, or for a formula over references, which is a block where somebody asks for it.
 */
import * as v from 'valibot';
import { formula, named, ref, strict } from '../notation/fields.ts';

const formulaName = strict({ formula, inputs: named(ref, 'references by port') });

export const furtherNames = named(v.union([ref, formulaName], 'a reference, or a formula with its inputs'), 'names');

export type FurtherNames = v.InferOutput<typeof furtherNames>;

/** What a name stands for; undefined of one that the document does not give. */
export function standsFor(
  { names }: { readonly names?: FurtherNames },
  name: string,
): FurtherNames[string] | undefined {
  return names && Object.hasOwn(names, name) ? names[name] : undefined;
}
