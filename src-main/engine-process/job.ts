/** What a worker is given to do at length: from the window what the contract has, from the command line all of it. */
import * as v from 'valibot';
import { diagnosisWork, fitWork, location, studyWork } from '../contract/contract.ts';
import { count, number, record } from '../contract/fields.ts';
import { deviceChoices } from '../device-choice.ts';

const values = record(v.union([number, v.array(number)]));

const work = v.variant('kind', [
  v.object({
    ...fitWork.entries,
    /** Where its free parameters begin instead: those of an earlier fit. */
    start: v.optional(values),
    maxIterations: v.optional(count),
    adam: v.optional(
      v.object({
        batch: v.optional(count),
        schedule: v.optional(v.picklist(['plateau', 'constant', 'cosine', 'step'])),
        rate: v.optional(number),
      }),
    ),
  }),
  studyWork,
  diagnosisWork,
]);

export const job = v.object({
  document: record(v.unknown()),
  location,
  /** Where to begin; all others at their initial values. */
  parameters: values,
  work,
  /** The document is to be right all over, and not only where the work needs it. */
  entire: v.optional(v.boolean()),
  device: v.optional(v.picklist(deviceChoices)),
  precision: v.optional(v.picklist(['f64', 'f32'])),
});

export type Work = v.InferOutput<typeof work>;
export type WorkKind = Work['kind'];
export type WorkOf<K extends WorkKind> = Extract<Work, { readonly kind: K }>;
export type Job<K extends WorkKind = WorkKind> = Omit<v.InferOutput<typeof job>, 'work'> & { readonly work: WorkOf<K> };
