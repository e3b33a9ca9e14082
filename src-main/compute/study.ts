/** A study of a model, of whichever kind. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { StudyReport, StudyRequest } from '../contract-studies.ts';
import type { ParameterValues } from './evaluate.ts';
import { sensitivity } from './sensitivity.ts';
import { uncertainty } from './uncertainty.ts';

export interface StudyContext {
  /** Where it is taken, or where its fit begins; all others at their initial values. */
  readonly parameters: ParameterValues;
  readonly documentHash: string;
  readonly cancel?: Int32Array;
  /** What it is at, and the share of that which is done. */
  readonly onProgress?: (stage: string, share: number) => void;
}

/** Throws `Refused` where the model cannot be studied so. */
export async function runStudy(
  model: Model,
  device: Device,
  request: StudyRequest,
  context: StudyContext,
): Promise<StudyReport> {
  return request.kind === 'sensitivity'
    ? sensitivity(model, device, request, context)
    : uncertainty(model, device, request, context);
}
