/** A report: one HTML file that needs nothing beside it. What was fitted to what, by which formulas, and how well. */
import { escapeXml } from '../../models/notation/escape-xml.ts';
import type { Device } from '../../engine/index.ts';
import { DocumentError } from '../../models/notation/problem.ts';
import type { Model } from '../../models/load/model.ts';
import { objectiveMeaning, studyMeaning } from '../../models/lower/meaning.ts';
import type { ParameterValues } from '../compute/running/run.ts';
import { fitOf, fittedValues } from '../compute/fit/fitted.ts';
import { effectPlots } from '../compute/plots/effect-plots.ts';
import { createPlotter } from '../compute/plots/plots.ts';
import { allSpoken } from '../contract/element-labels.ts';
import { labelsOf } from '../compute/fit/labels.ts';
import type { Plot } from '../contract/plots.ts';
import type { FitReport } from '../contract/contract.ts';
import { studiedOutputs, type StudyReport } from '../contract/studies.ts';
import { titleOf } from './model-program.ts';
import { comparisonFigures, effectFigures } from './report/comparisons.ts';
import { dataTable, excludedTable } from './report/data.ts';
import { fitParts, unfittedParts } from './report/fit.ts';
import { describedBlock } from './report/formulas.ts';
import { figure, paragraph, section, table } from './html.ts';
import { modelPicture } from './report/picture.ts';
import { ranSections } from './report/ran.ts';
import { studySections } from './report/studies.ts';
import { reportStyle } from './report/style.ts';

export interface ReportRequest {
  readonly model: Model;
  /** Shown where it is one of this very model. */
  readonly fit: FitReport | null;
  /** Where values are taken; at the fit's end point where there is one, for parameters that are not named. */
  readonly parameters: ParameterValues;
  readonly version: string;
  readonly date: Date;
  /** What was run beside the fit; of another model it is left out. */
  readonly studies?: readonly StudyReport[] | undefined;
}

export async function reportHtml(request: ReportRequest, device: Device): Promise<string> {
  const { model, version, date } = request;
  const meaning = objectiveMeaning(model) ?? '';
  const fit = fitOf(model, request.fit);
  const studies = (request.studies ?? []).filter((study) => isOf(model, study));
  const labels = labelsOf(model);
  const looks = new Map(Object.entries(model.document.view?.plots ?? {}));
  const at = { ...(fit && fittedValues(fit)), ...request.parameters };
  const plots = await plotsAt(model, fit, at, device);
  const diagnosis = fit && (await effectPlots(model, device, fit, { thinned: true }));
  const prediction = plots[0]?.prediction ?? undefined;
  const note = typeof model.document.note === 'string' ? model.document.note : '';
  const title = escapeXml(titleOf(model));
  const sections = [
    section(
      'Fit',
      ...(fit
        ? fitParts(allSpoken(fit, labels), model, allSpoken(studies, labels))
        : unfittedParts(model, request.fit !== null)),
    ),
    section('Plots', ...comparisonFigures(plots)),
    section('Random effects', ...(diagnosis ? effectFigures(diagnosis) : [])),
    ...(fit ? await studySections({ model, device, at, prediction, labels }) : []),
    ...ranSections(allSpoken(studies, labels), (id) => looks.get(id)),
    section('Model', figure(modelPicture(model), 'The blocks and their wires'), blockTable(model)),
    section('Data', dataTable(model), excludedTable(model)),
    section('Where this comes from', provenance(request, fit, meaning, device)),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${reportStyle}</style>
</head>
<body>
<header><h1>${title}</h1><p>${date.toISOString().slice(0, 10)} · Cotangent ${escapeXml(version)} · computed on ${escapeXml(device.kind)} ${escapeXml(device.precision)}</p>${paragraph(note)}</header>
<main>
${sections.filter((part) => part !== '').join('\n')}
</main>
</body>
</html>
`;
}

/** A report is a page that shows: it runs nothing, asks nobody, and has its pictures and letters in itself. */
const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'";

/** Whether a study is of what this model means. */
function isOf(model: Model, study: StudyReport): boolean {
  const of = study.kind === 'sensitivity' ? study.of : undefined;
  try {
    return study.meaning === studyMeaning(model, of, studiedOutputs(study));
  } catch (error) {
    // What it was of is no longer there.
    if (error instanceof DocumentError) return false;
    throw error;
  }
}

async function plotsAt(model: Model, fit: FitReport | null, at: ParameterValues, device: Device): Promise<Plot[]> {
  const plotter = await createPlotter(model, device);
  try {
    return await plotter.at(at, { bands: fit ? { fit, level: bandLevel } : undefined, thinned: true });
  } finally {
    plotter.release();
  }
}

const bandLevel = 0.95;

function blockTable(model: Model): string {
  const rows = model.graph.nodes.map(({ id, block }) => {
    const outputs = model.blocks.get(id)?.outputs ?? [];
    const shapes = outputs.map(({ name, element, sizes }) => {
      const shape = sizes.length === 0 ? '' : `[${sizes.map(({ value }) => value).join(', ')}]`;
      return `${name === '' ? '' : `${name}: `}${element}${shape}`;
    });
    return [id, describedBlock(block), shapes.join(', '), block.unit ?? '', block.note ?? ''];
  });
  return table(['block', 'what it is', 'value', 'unit', 'note'], rows);
}

/** All that is needed to come to these numbers again. */
function provenance({ version, date }: ReportRequest, fit: FitReport | null, hash: string, device: Device): string {
  const rows = [
    ['report', `${date.toISOString()}, Cotangent ${version}`],
    ['computed on', `${device.kind}, ${device.precision}`],
    ['model', `fingerprint ${hash}`],
    ...(fit ? [['fit', `${fit.finishedAt}, ${fit.device}, ${fit.precision}, ${Math.round(fit.milliseconds)} ms`]] : []),
  ];
  return table(['', ''], rows);
}
