/** Models of the same data, each fitted first, ranked, and tested against each other where one is a case of another. */
import { Cancelled, type Device } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { studyMeaning } from '../../../models/lower/meaning.ts';
import type { ComparisonReport, ComparisonRequest } from '../../contract/studies.ts';
import { Refused } from '../../refused.ts';
import { asOneOfMany, type Compared, comparisonOf, demandComparable, type FollowerFit } from '../fit/comparison.ts';
import { fitModel } from '../fit/fit.ts';
import type { StudyContext } from './study-context.ts';
import { uncertainty } from './uncertainty.ts';

/** Throws `Refused` where one of them cannot be fitted, or is of other data. */
export async function compareModels(
  model: Model,
  device: Device,
  { name, others, method }: ComparisonRequest,
  context: StudyContext,
): Promise<ComparisonReport> {
  const startedAt = performance.now();
  const { cancel, onProgress, load } = context;
  if (!load) throw new Refused('other models cannot be read here');
  const subjects = [{ name, model }];
  for (const other of others) subjects.push({ name: other.name, model: await named(other.name, load(other.document)) });
  await demandComparable(subjects);
  const compared: Compared[] = [];
  for (const [i, subject] of subjects.entries()) {
    const within = { parameters: i === 0 ? context.parameters : {}, ...(cancel && { cancel }) };
    onProgress?.(`fitting ${subject.name}`, i / subjects.length);
    const report = await uncertainty(subject.model, device, asOneOfMany, within);
    if (report.cancelled) throw new Refused('stopped before all models were fitted');
    compared.push({ ...subject, report });
  }
  onProgress?.('looking for models that are cases of others', 1);
  try {
    const follow: FollowerFit = async (document, request) =>
      fitModel(await load(document), device, { ...request, ...(cancel && { cancel }) });
    const found = await comparisonOf(compared, () => follow);
    return {
      ...{
        kind: 'comparison',
        method,
        models: [...found.models],
        nested: [...found.nested],
        warnings: [...found.warnings],
      },
      ...{ cancelled: false, seed: 0, device: device.kind, precision: device.precision },
      milliseconds: performance.now() - startedAt,
      finishedAt: new Date().toISOString(),
      meaning: studyMeaning(model, undefined, []),
    };
  } catch (error) {
    if (error instanceof Cancelled) throw new Refused('stopped before the models were compared');
    throw error;
  }
}

async function named(name: string, model: Promise<Model>): Promise<Model> {
  try {
    return await model;
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`${name}: ${error.message}`);
    throw error;
  }
}
