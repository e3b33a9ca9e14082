/** The columns that PEtab's tables have. What a table misses, or has under another name, would be read as if it said nothing. */
import { refuse } from '../sbml/refusal.ts';
import type { PetabTable } from './tsv.ts';

export type TableKind = 'parameters' | 'conditions' | 'experiments' | 'observables' | 'measurements' | 'mapping';

interface Columns {
  readonly demanded: readonly string[];
  readonly others: readonly string[];
}

const measured = ['observableParameters', 'noiseParameters', 'datasetId', 'replicateId'];
const observed = ['observableId', 'observableFormula', 'noiseFormula'];

const version1: Readonly<Partial<Record<TableKind, Columns>>> = {
  parameters: {
    demanded: ['parameterId', 'parameterScale', 'lowerBound', 'upperBound', 'estimate'],
    others: [
      ...['parameterName', 'nominalValue', 'objectivePriorType', 'objectivePriorParameters'],
      ...['initializationPriorType', 'initializationPriorParameters'],
    ],
  },
  observables: {
    demanded: observed,
    others: ['observableName', 'observableTransformation', 'noiseDistribution'],
  },
  measurements: {
    demanded: ['observableId', 'simulationConditionId', 'time', 'measurement'],
    others: ['preequilibrationConditionId', ...measured],
  },
};

const version2: Readonly<Record<TableKind, Columns>> = {
  parameters: {
    demanded: ['parameterId', 'estimate'],
    others: ['parameterName', 'lowerBound', 'upperBound', 'nominalValue', 'priorDistribution', 'priorParameters'],
  },
  conditions: { demanded: ['conditionId', 'targetId', 'targetValue'], others: ['conditionName'] },
  experiments: { demanded: ['experimentId', 'time', 'conditionId'], others: ['experimentName'] },
  observables: {
    demanded: observed,
    others: ['observableName', 'noiseDistribution', 'observablePlaceholders', 'noisePlaceholders'],
  },
  measurements: {
    demanded: ['observableId', 'time', 'measurement'],
    // Without an experiment a measurement is of the model as it stands.
    others: ['modelId', 'experimentId', ...measured],
  },
  mapping: { demanded: ['petabEntityId', 'modelEntityId'], others: ['name'] },
};

/** A table without anything in it has no columns to miss. Those of version 1's conditions are what they set. */
export function demandColumns(
  version: 1 | 2,
  kind: TableKind,
  file: string,
  { columns }: PetabTable,
  warnings: string[],
): void {
  if (columns.length === 0) return;
  const known = (version === 1 ? version1 : version2)[kind] ?? { demanded: ['conditionId'], others: columns };
  const all = [...known.demanded, ...known.others];
  const strange = columns.filter((column) => column !== '' && !all.includes(column));
  for (const column of strange) {
    const meant = all.find((each) => each.toLowerCase() === column.toLowerCase() && !columns.includes(each));
    if (meant !== undefined) refuse(`${file} has a column "${column}", which PEtab writes "${meant}"`);
  }
  const missing = known.demanded.find((each) => !columns.includes(each));
  if (missing !== undefined) refuse(`${file} has no column "${missing}"`);
  if (strange.length > 0)
    warnings.push(`${file}: PEtab has no column ${strange.map((each) => `"${each}"`).join(', ')}, and it is not read`);
}
