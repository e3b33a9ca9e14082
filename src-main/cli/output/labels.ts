/** Elements of parameters by their labels, in what people read; JSON keeps places. */
import { labelsOf } from '../../compute/fit/labels.ts';
import { demandModel, load } from '../../compute/running/load.ts';
import type { ElementLabels } from '../../contract/element-labels.ts';
import { documentFolder } from '../../files/locations.ts';

/** Throws `Refused` as a document that cannot be used does. */
export async function labelsOfDocument(document: Record<string, unknown>, path: string): Promise<ElementLabels> {
  return labelsOf(demandModel(await load(document, documentFolder(path))));
}
