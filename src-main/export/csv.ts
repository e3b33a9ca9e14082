/** `export --to csv`: values as a table (RFC 4180), a column for each output of rank 0 or 1, one for each column of rank 2. */
import type { Device } from '../../engine/index.ts';
import { findOutput, type Model } from '../../models/load/model.ts';
import { outputAt } from '../../models/graph/checked.ts';
import { csvRow } from '../../models/notation/csv.ts';
import { createEvaluator } from '../compute/evaluate.ts';
import type { ArrayValue } from '../contract/contract.ts';
import { allOutputs } from './model-program.ts';

interface Column {
  readonly name: string;
  readonly cells: readonly string[];
}

/** The columns begin at the first row; shorter ones end early. Categories stand by their labels. */
export async function exportCsv(model: Model, device: Device): Promise<string> {
  const references = allOutputs(model).filter((id) => labelled(model, id).rank <= 2);
  const evaluator = await createEvaluator(model, references, device);
  try {
    const values = await evaluator.at({});
    return csvText(references.flatMap((id) => columnsOf(id, values.get(id)!, labelled(model, id).labels)));
  } finally {
    evaluator.release();
  }
}

function labelled(model: Model, reference: string): { rank: number; labels: readonly string[] | undefined } {
  const link = findOutput(model, reference);
  if ('message' in link) throw new Error(link.message);
  const { sizes, category, dates } = outputAt(model, link);
  return { rank: sizes.length, labels: dates ?? category };
}

function columnsOf(
  name: string,
  { element, shape, values }: ArrayValue,
  labels: readonly string[] | undefined,
): Column[] {
  const cell = (value: number, row: number): string => {
    if (element === 'bool') return value === 0 ? 'false' : 'true';
    if (element === 'int' && labels) return labels[value] ?? '';
    if (labels) return labels[row] ?? '';
    return Number.isNaN(value) ? 'NaN' : String(value);
  };
  const [rows = 1, width] = shape;
  if (width === undefined) return [{ name, cells: Array.from(values, cell) }];
  return Array.from({ length: width }, (_, j) => ({
    name: `${name}[${j}]`,
    cells: Array.from({ length: rows }, (_, i) => cell(values[i * width + j]!, i)),
  }));
}

/** CR LF between rows, as RFC 4180 has it. */
function csvText(columns: readonly Column[]): string {
  const rows = columns.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const lines = [columns.map(({ name }) => name)];
  for (let i = 0; i < rows; i++) lines.push(columns.map(({ cells }) => cells[i] ?? ''));
  return lines.map((cells) => `${csvRow(cells)}\r\n`).join('');
}
