/** The dynamics of a document as SBML. */
import type { Model } from '../../models/load/model.ts';
import { exportSbml as written } from '../../models/sbml/export/export.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { Refused } from '../refused.ts';

export function exportSbml({ document }: Model): string {
  try {
    return written(document);
  } catch (error) {
    throw error instanceof SbmlRefusal ? new Refused(error.message) : error;
  }
}
