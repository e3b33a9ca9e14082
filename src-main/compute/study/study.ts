/** A study of a model, of whichever kind. */
import type { Device } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import type { StudyReport, StudyRequest } from '../../contract/studies.ts';
import { compareModels } from './compare-models.ts';
import { design } from './design.ts';
import { sensitivity } from './sensitivity.ts';
import type { StudyContext } from './study-context.ts';
import { uncertainty } from './uncertainty.ts';

/** Its report tells what was asked, save of a comparison, whose models are long. Throws `Refused` where the model cannot be studied so. */
export async function runStudy(
  model: Model,
  device: Device,
  request: StudyRequest,
  context: StudyContext,
): Promise<StudyReport> {
  switch (request.kind) {
    case 'sensitivity':
      return { ...(await sensitivity(model, device, request, context)), asked: request };
    case 'uncertainty':
      return { ...(await uncertainty(model, device, request, context)), asked: request };
    case 'design':
      return { ...(await design(model, device, request, context)), asked: request };
    case 'comparison':
      return compareModels(model, device, request, context);
  }
}
