/** What a study is given beside its request: where it is taken, and how it tells and is told. */
import type { Model } from '../../../models/load/model.ts';
import type { ParameterValues } from '../running/run.ts';

export interface StudyContext {
  /** Another document, whose tables lie where those of the first do. Throws `Refused` where it is at fault. */
  readonly load?: (document: Readonly<Record<string, unknown>>) => Promise<Model>;
  /** Where it is taken, or where its fit begins; all others at their initial values. */
  readonly parameters: ParameterValues;
  /** Of the fit; one that is told looks nowhere but along its way. */
  readonly maxIterations?: number | undefined;
  readonly cancel?: Int32Array;
  /** What it is at, and the share of that which is done; it returns once the study may go on. */
  readonly onProgress?: (stage: string, share: number) => void;
}
