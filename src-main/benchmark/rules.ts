/** What every rule of reduce, scan, histogram and recurrence is estimated to cost, and what it takes when it is forced. */
import {
  builtinOperator,
  type Choice,
  type Device,
  type Operator,
  profiles,
  scalarFunction,
  type Value,
  vjp,
} from '../../engine/index.ts';
import { elementsOf } from './datasets.ts';
import type { Range } from './draw.ts';
import { linFnComp, matMul, satAdd, sumOfProd, sumOfProdInvertible } from './operators.ts';
import { figure, ratio } from './shown.ts';
import { type Subject, SubjectBuilder, timeSubject } from './subject.ts';
import type { Measurement, Output, Suite, SuiteOptions } from './suite.ts';

export interface RuleMeasurement extends Measurement {
  readonly rule: string;
  /** The cheapest by the estimates, or one that decides. */
  readonly chosen: boolean;
  readonly traffic: number;
  readonly operations: number;
  readonly passes: number;
  /** Nanoseconds for each element, value and adjoints together. */
  readonly estimatedNs: number;
  readonly measuredNs: number;
  readonly overhead: number;
}

const origin = 'measured';
const bins = 401;

/** Where products of a million neither overflow nor vanish, and branches go both ways. */
const range: Range = [1 - 1 / 128, 1 + 1 / 128];

function subject(inputs: number, emit: (b: SubjectBuilder, inputs: readonly Value[]) => Value[]): Subject {
  const b = new SubjectBuilder();
  b.origin = origin;
  const values = Array.from({ length: inputs }, (_, i) => b.data(`x${i}`, range));
  const results = emit(b, values).map((value, i) => ({ name: `y${i}`, value }));
  return { program: b.finish(results), ranges: b.ranges, fixed: new Set(['keys']) };
}

const operators: readonly (readonly [name: string, operator: Operator])[] = [
  ['+', builtinOperator('add')],
  ['min', builtinOperator('min')],
  ['×', builtinOperator('multiply')],
  ['logaddexp', builtinOperator('logaddexp')],
  ['satAdd', satAdd],
  ['linFnComp', linFnComp],
  ['sumOfProd', sumOfProd],
  ['sumOfProd invertible', sumOfProdInvertible],
  ['matMul 2×2', matMul(2)],
  ['matMul 3×3', matMul(3)],
];

/** x = k·x + u. */
const filter = subject(1, (b, inputs) =>
  b.emit({
    kind: 'recurrence',
    step: scalarFunction(['real', 'real', 'real'], (s, x, u, k) => {
      const next = s.apply('add', s.apply('mul', k, x), u);
      return [next, next];
    }),
    shape: ['n'],
    axis: 0,
    reverse: false,
    initial: [b.literal(0)],
    inputs,
    invariants: [b.literal(0.9)],
  }),
);

type Emit = (operator: Operator) => (b: SubjectBuilder, inputs: readonly Value[]) => Value[];

const combining: Readonly<Record<'reduce' | 'scan' | 'histogram', Emit>> = {
  reduce: (operator) => (b, inputs) => b.reduce(operator, inputs, 0),
  scan: (operator) => (b, inputs) => b.scan(operator, inputs, 0),
  histogram: (operator) => (b, inputs) => b.histogram(operator, b.keys('keys', bins), inputs, bins),
};

const subjects: ReadonlyMap<string, Subject> = new Map([
  ...Object.entries(combining).flatMap(([construct, emit]) =>
    operators
      .filter(([, operator]) => construct !== 'histogram' || operator.commutative)
      .map(([name, operator]) => [`${construct} ${name}`, subject(operator.neutral.length, emit(operator))] as const),
  ),
  ['recurrence affine', filter],
]);

/** The choice on the subject's one construct. */
function choiceOf(
  { program }: Subject,
  { kind }: Device,
): { readonly choice: Choice; readonly construct: Parameters<Choice['rule']['cost']>[0] } {
  let found: ReturnType<typeof choiceOf> | undefined;
  vjp(program, {
    profile: profiles[kind],
    onChoice: ({ construct, origin: block }, choice) => {
      if (block === origin && construct.kind !== 'literal') found ??= { choice, construct };
    },
  });
  if (!found) throw new Error('nothing was differentiated');
  return found;
}

export const rules: Suite<RuleMeasurement> = {
  names: [...subjects.keys()],
  columns: [
    { heading: 'construct and operator', text: 26, cell: ({ row }) => row },
    { heading: 'rule', text: 26, cell: ({ rule }) => `\`${rule}\`` },
    { heading: 'estimate', cell: ({ estimatedNs }) => estimatedNs.toFixed(2) },
    { heading: 'measured', cell: ({ measuredNs }) => measuredNs.toFixed(2) },
    { heading: 'off by', cell: ({ estimatedNs, measuredNs }) => `× ${figure(measuredNs / estimatedNs)}` },
    { heading: '× primal', cell: ({ overhead }) => ratio(overhead) },
    { heading: 'chosen', text: 6, cell: ({ chosen }) => (chosen ? 'yes' : '') },
  ],
  summary(rows) {
    const isNear = ({ estimatedNs, measuredNs }: RuleMeasurement): boolean =>
      Math.abs(Math.log(measuredNs / estimatedNs)) <= Math.log(1.5);
    const beaten = rows.filter(
      (chosen) =>
        chosen.chosen && rows.some((other) => other.row === chosen.row && 1.2 * other.measuredNs < chosen.measuredNs),
    );
    const names = beaten.map(({ row }) => row).join(', ') || 'none';
    return `${rows.filter(isNear).length} of ${rows.length} estimates lie within a factor of 1.5 of the time. Another rule was more than a fifth faster than the one chosen for: ${names}.`;
  },
  /** On a tenth of the dataset: some rules store many times the data. */
  async run(device: Device, { only, dataset, elements }: SuiteOptions, output: Output<RuleMeasurement>) {
    const n = Math.max(1, Math.round(elementsOf(dataset, elements) / 10));
    for (const [name, subject] of [...subjects].filter(([candidate]) => candidate.startsWith(only))) {
      output.progress(name);
      const primal = await timeSubject(device, subject, subject.program, n);
      const { choice, construct } = choiceOf(subject, device);
      for (const { rule, cost } of [choice, ...choice.passedOver]) {
        output.progress(`${name} by ${rule.name}`);
        const program = vjp(subject.program, { profile: profiles[device.kind], force: new Map([[origin, rule.name]]) });
        const { milliseconds, runs } = await timeSubject(device, subject, program, n);
        const { traffic, operations, passes } = rule.cost(construct);
        output.row({
          row: name,
          n,
          device: device.kind,
          precision: device.precision,
          runs,
          rule: rule.name,
          chosen: rule === choice.rule,
          traffic,
          operations,
          passes,
          estimatedNs: cost,
          measuredNs: (1e6 * milliseconds) / n,
          overhead: milliseconds / primal.milliseconds,
        });
      }
    }
  },
};
