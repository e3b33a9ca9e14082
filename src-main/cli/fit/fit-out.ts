/**
 * Where `fit --out` writes, by the name: a document with the fitted values and its fit beside it (`FITTED.cot.json`), the fit
 * that is stored beside a document (`MODEL.fit.json`), or what `--json` prints. Of the first two `plot` and `report` know the fit.
 */
import { printDocument } from '../../../models/format/print.ts';
import { applyOverrides } from '../../../models/format/override.ts';
import { readDocument as parseModel } from '../../../models/format/parse.ts';
import type { Nested } from '../../../models/notation/numbers.ts';
import { objectiveMeaning } from '../../../models/lower/meaning.ts';
import { demandModel, load } from '../../compute/running/load.ts';
import { refusedFor } from '../../compute/running/refusals.ts';
import type { FitReport } from '../../contract/contract.ts';
import { documentExtension, writeDocument, type RawDocument } from '../../files/documents.ts';
import { documentFolder, isSamePlace } from '../../files/locations.ts';
import { fitExtension, fitPath, foreignBeside } from '../../files/side-files.ts';
import { filesOf } from '../../files/table-files.ts';
import { stringify } from '../../json.ts';
import { maySaveOver, metAt } from '../../files/stamps.ts';
import { Refused } from '../../refused.ts';
import { writeResult, type ResultPlace } from './checkpoint.ts';
import { byBlock, nestedElements } from '../output/elements.ts';
import { fitJson } from '../output/fit-output.ts';

export interface FitTarget {
  /** What holds the best point while the fit runs. */
  readonly checkpoints: ResultPlace;
  write(report: FitReport): Promise<void>;
}

/** Throws `Refused` where a document there would not find its data, or what lies beside it is of another. */
export async function fitTarget(out: string, model: string, document: RawDocument): Promise<FitTarget> {
  const named: ResultPlace = { path: out, chosen: true, of: model };
  if (out.endsWith(fitExtension))
    return { checkpoints: named, write: (report) => writeResult(named, JSON.parse(stringify(report)) as object) };
  if (!out.endsWith(documentExtension))
    return { checkpoints: named, write: (report) => writeResult(named, fitJson(report)) };
  const folder = documentFolder(out);
  if (folder !== documentFolder(model) && filesOf(document).length > 0)
    throw new Refused(`${out}: a document finds the files of its tables in its own folder; write it beside ${model}`);
  const foreign = await foreignBeside(out, fitExtension);
  if (foreign) throw foreign.why;
  // The fitted document takes the place of the one that was read, and of no other.
  const known = isSamePlace(out, model) ? (await metAt(out))?.stamp : undefined;
  const ready = async (): Promise<void> => {
    if (maySaveOver(known, (await metAt(out))?.stamp ?? null)) return;
    throw new Refused(
      `${out} was changed while it was fitted, and is left as it is: fit it again, or write to another name.`,
    );
  };
  return {
    checkpoints: { path: fitPath(out), of: model },
    async write(report) {
      const fitted = withValues(document, report);
      const meaning = objectiveMeaning(demandModel(await load(fitted, folder)));
      await writeDocument(out, fitted, { ...report, meaning: meaning ?? '' }, { ready, of: model });
    },
  };
}

/** The document that begins where the fit has ended. */
function withValues(document: RawDocument, { estimates }: FitReport): RawDocument {
  const parsed = parseModel(document);
  if (!('document' in parsed)) throw refusedFor(parsed.problems);
  const values = [...byBlock(estimates)].map(([id, elements]) => ({
    id,
    value: nestedElements(elements, ({ value }) => value) as Nested,
  }));
  return JSON.parse(printDocument(applyOverrides(parsed.document, values).document)) as RawDocument;
}
