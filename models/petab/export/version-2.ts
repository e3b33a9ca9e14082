/** The files of version 2 beside the model: name → text. */
import { stringify } from 'yaml';
import { experimentsOf, type Experiments } from './experiments.ts';
import { parameterTable2 } from './parameters.ts';
import type { Said, Version } from './said.ts';
import { tsv } from './tables.ts';

export const version2: Version = ({ courses, times, naming }) => {
  const experiments = experimentsOf(courses, times, naming);
  return (said) => filesOf(said, experiments);
};

function filesOf(
  { observables, measurements, parameters }: Said,
  { experiments, conditions, experimentOf }: Experiments,
): [string, string][] {
  const files: [string, string][] = [
    ['parameters.tsv', parameterTable2(parameters)],
    [
      'observables.tsv',
      tsv(
        [
          ...['observableId', 'observableName', 'observableFormula', 'noiseFormula', 'noiseDistribution'],
          ...['observablePlaceholders', 'noisePlaceholders'],
        ],
        observables.map(({ id, label, formula, noise, family, placeholders, noisePlaceholders }) => [
          ...[id, label, formula, noise, family, placeholders, noisePlaceholders],
        ]),
      ),
    ],
    [
      'measurements.tsv',
      tsv(
        ['observableId', 'experimentId', 'time', 'measurement', 'observableParameters', 'noiseParameters'],
        measurements.map(({ observable, time, value, given, noise }, i) => [
          ...[observable, experimentOf(i), time, value, given, noise],
        ]),
      ),
    ],
    ...(conditions.length > 0
      ? [['conditions.tsv', tsv(['conditionId', 'targetId', 'targetValue'], conditions)] as [string, string]]
      : []),
    ...(experiments.length > 0
      ? [['experiments.tsv', tsv(['experimentId', 'time', 'conditionId'], experiments)] as [string, string]]
      : []),
  ];
  const listed = (file: string): string[] => (files.some(([name]) => name === file) ? [file] : []);
  const yaml = stringify({
    format_version: '2.0.0',
    parameter_files: ['parameters.tsv'],
    model_files: { model: { location: 'model.xml', language: 'sbml' } },
    condition_files: listed('conditions.tsv'),
    experiment_files: listed('experiments.tsv'),
    observable_files: ['observables.tsv'],
    measurement_files: ['measurements.tsv'],
  });
  return [...files, ['problem.yaml', yaml]];
}
