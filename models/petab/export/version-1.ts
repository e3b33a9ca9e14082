/** The files of version 1 beside the model: name → text. */
import { stringify } from 'yaml';
import { refuse } from '../../sbml/refusal.ts';
import { conditionsOf, type Conditions } from './conditions.ts';
import { parameterTable1 } from './parameters.ts';
import type { Said, Version } from './said.ts';
import { tsv } from './tables.ts';

/** Family → transformation and noise. */
const noises: Readonly<Record<string, readonly [string, string]>> = {
  normal: ['lin', 'normal'],
  laplace: ['lin', 'laplace'],
  'log-normal': ['log', 'normal'],
  'log-laplace': ['log', 'laplace'],
};

export const version1: Version = ({ courses, naming, happensAtStarts }) => {
  if (happensAtStarts && courses.some((course) => course.length > 1))
    refuse(
      'an event may happen where a period begins, and version 1 of PEtab does not say whether it does after a steady state',
    );
  const conditions = conditionsOf(courses, naming);
  return (said) => filesOf(said, conditions);
};

function filesOf({ observables, measurements, parameters }: Said, conditions: Conditions): [string, string][] {
  return [
    ['parameters.tsv', parameterTable1(parameters)],
    ['conditions.tsv', tsv(conditions.header, conditions.rows)],
    [
      'observables.tsv',
      tsv(
        [
          ...['observableId', 'observableName', 'observableFormula', 'observableTransformation'],
          ...['noiseFormula', 'noiseDistribution'],
        ],
        observables.map(({ id, label, formula, noise, family }) => {
          const [transformation, distribution] = noises[family]!;
          return [id, label, formula, transformation, noise, distribution];
        }),
      ),
    ],
    [
      'measurements.tsv',
      tsv(
        [
          ...['observableId', 'preequilibrationConditionId', 'simulationConditionId', 'measurement', 'time'],
          ...['observableParameters', 'noiseParameters'],
        ],
        measurements.map(({ observable, time, value, given, noise }, i) => {
          const { before, during } = conditions.of(i);
          return [observable, before, during, value, time, given, noise];
        }),
      ),
    ],
    [
      'problem.yaml',
      stringify({
        format_version: 1,
        parameter_file: 'parameters.tsv',
        problems: [
          {
            sbml_files: ['model.xml'],
            condition_files: ['conditions.tsv'],
            observable_files: ['observables.tsv'],
            measurement_files: ['measurements.tsv'],
          },
        ],
      }),
    ],
  ];
}
