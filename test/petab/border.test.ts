/**
 * Events of a model at the instant at which a period begins. By version 2 of PEtab what its conditions set is computed of the
 * values before that instant and is set first; triggers are looked at, and events carried out, after that.
 *
 *     A′ = −0.3·A, and what happens is the list `happens`, in its order
 */
import { afterAll, expect, test } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';
import { openDevice, valuesOfDocument } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

const math = (inner: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${inner}</math>`;
const reached = (what: string, value: number): string => `<apply><geq/>${what}<cn>${value}</cn></apply>`;
const clock = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">t</csymbol>';
const event = (id: string, trigger: string, variable: string, value: string): string =>
  `<event id="${id}" useValuesFromTriggerTime="true"><trigger initialValue="true" persistent="true">${math(trigger)}</trigger>
  <listOfEventAssignments><eventAssignment variable="${variable}">${math(value)}</eventAssignment></listOfEventAssignments></event>`;

const model = `<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m">
<listOfParameters>
  <parameter id="A" value="1" constant="false"/><parameter id="B" value="2" constant="true"/>
  <parameter id="seen" value="0" constant="false"/><parameter id="ticks" value="0" constant="false"/><parameter id="clock" constant="false"/>
</listOfParameters>
<listOfRules>
  <rateRule variable="A">${math('<apply><times/><cn>-0.3</cn><ci>A</ci></apply>')}</rateRule>
  <assignmentRule variable="clock">${math(`<apply><times/><cn>0.1</cn>${clock}</apply>`)}</assignmentRule>
</listOfRules>
<listOfEvents>
  ${event('early', reached(clock, 1), 'A', '<apply><plus/><ci>A</ci><cn>1</cn></apply>')}
  ${event('late', reached(clock, 3), 'A', '<apply><times/><cn>3</cn><ci>A</ci></apply>')}
  ${event('ticked', reached('<ci>clock</ci>', 0.5), 'ticks', '<apply><plus/><ci>ticks</ci><cn>10</cn></apply>')}
  ${event('high', reached('<ci>A</ci>', 5), 'seen', '<apply><plus/><ci>seen</ci><cn>1</cn></apply>')}
</listOfEvents></model></sbml>`;

interface State {
  readonly A: number;
  readonly seen: number;
}

interface Change {
  readonly time: number;
  readonly sets: string;
  readonly to: (A: number) => number;
}

const double: Omit<Change, 'time'> = { sets: 'A + 2 * B', to: (A) => A + 4 };
const half: Omit<Change, 'time'> = { sets: 'A / 2', to: (A) => A / 2 };

/** What happens at times: conditions before events of their instant; `high` wherever A has come to 5 by it. */
function at(changes: readonly Change[], time: number): State {
  const happens = [
    ...changes.map(({ time: t, to }) => ({ t, rank: 0, to })),
    { t: 1, rank: 1, to: (A: number) => A + 1 },
    { t: 3, rank: 1, to: (A: number) => 3 * A },
  ].sort((a, b) => a.t - b.t || a.rank - b.rank);
  let [A, seen, now] = [1, 0, 0];
  for (const each of happens.filter(({ t }) => t <= time)) {
    A *= Math.exp(-0.3 * (each.t - now));
    now = each.t;
    const before = A;
    A = each.to(A);
    if (before < 5 && A >= 5) seen += 1;
  }
  return { A: A * Math.exp(-0.3 * (time - now)), seen: seen + (time >= 5 ? 10 : 0) };
}

async function simulated(
  courses: readonly (readonly Change[])[],
  times: readonly number[],
  xml = model,
): Promise<readonly number[]> {
  const rows = (...lines: readonly (readonly unknown[])[]): string => lines.map((line) => line.join('\t')).join('\n');
  const texts: Record<string, string> = {
    'm.xml': xml,
    'p.tsv': rows(['parameterId', 'lowerBound', 'upperBound', 'nominalValue', 'estimate'], ['s', 0.1, 10, 1, 'true']),
    'c.tsv': rows(
      ['conditionId', 'targetId', 'targetValue'],
      ...courses.flatMap((changes, e) =>
        changes.flatMap(({ sets }, i) => (sets === '' ? [] : [[`c${e}_${i}`, 'A', sets]])),
      ),
    ),
    'e.tsv': rows(
      ['experimentId', 'time', 'conditionId'],
      ...courses.flatMap((changes, e) => [
        [`e${e}`, 0, ''],
        ...changes.map(({ time, sets }, i) => [`e${e}`, time, sets === '' ? '' : `c${e}_${i}`]),
      ]),
    ),
    'o.tsv': rows(
      ['observableId', 'observableFormula', 'noiseFormula', 'noiseDistribution'],
      ['oA', 'A', 's', 'normal'],
      ['oSeen', 'seen + ticks', 's', 'normal'],
    ),
    'd.tsv': rows(
      ['observableId', 'experimentId', 'time', 'measurement'],
      ...courses.flatMap((_, e) => ['oA', 'oSeen'].flatMap((id) => times.map((time) => [id, `e${e}`, time, 0]))),
    ),
  };
  const yaml = `format_version: 2.0.0
parameter_files: [p.tsv]
model_files: {m: {location: m.xml, language: sbml}}
condition_files: [c.tsv]
experiment_files: [e.tsv]
observable_files: [o.tsv]
measurement_files: [d.tsv]`;
  const { document } = await importPetab(yaml, (name) => Promise.resolve(Buffer.from(texts[name] ?? '')), 'border');
  const { simulation } = await valuesOfDocument(JSON.parse(JSON.stringify(document)), device);
  return simulation;
}

test.each<[string, readonly (readonly Change[])[]]>([
  ['where it is due', [[{ time: 3, ...double }]]],
  ['where it is due, of a rule', [[{ time: 5, ...double }]]],
  [
    'where it is due and has been before',
    [
      [
        { time: 1, ...double },
        { time: 3, ...half },
        { time: 4, ...double },
      ],
    ],
  ],
  [
    'in some experiments and not in others',
    [
      [{ time: 3, ...double }],
      [{ time: 2, ...double }],
      [],
      [
        { time: 1, ...double },
        { time: 5, ...half },
      ],
    ],
  ],
  [
    'after a period that sets nothing',
    [
      [
        { time: 2, sets: 'A', to: (A) => A },
        { time: 3, ...double },
      ],
    ],
  ],
])('an event on the border of two periods is carried out once, after the condition: %s', async (_, courses) => {
  const times = [0.5, 1, 2, 3, 3.5, 4, 5, 6];
  const found = await simulated(courses, times);
  const wanted = courses.flatMap((changes) => [
    ...times.map((time) => at(changes, time).A),
    ...times.map((time) => at(changes, time).seen),
  ]);
  expect(found).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(1e-6 * (1 + value));
});

test('a period that sets nothing goes on with what waits', async () => {
  const delayed = model.replace(/<event id="early"[^>]*>/, (start) => `${start}<delay>${math('<cn>1.5</cn>')}</delay>`);
  const times = [2, 3, 6];
  const found = await simulated([[{ time: 2, sets: '', to: (A) => A }]], times, delayed);
  // What is added at 2.5 is of when it was triggered, e^−0.3 + 1; at 3 it is tripled.
  const late = (time: number): number => 3 * (1 + Math.exp(-0.3)) * Math.exp(-0.3 * (time - 2.5));
  const wanted = [Math.exp(-0.6), late(3), late(6)];
  for (const [i, value] of wanted.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(1e-6 * (1 + value));
});

test('an event that sets nothing stands in no way, delayed or not', async () => {
  const idle = `<event id="idle" useValuesFromTriggerTime="true"><trigger initialValue="true" persistent="true">${math(reached(clock, 1))}</trigger>
    <delay>${math('<cn>1</cn>')}</delay></event></listOfEvents>`;
  const courses = [[{ time: 3, ...double }]];
  const found = await simulated(courses, [2, 4], model.replace('</listOfEvents>', idle));
  for (const [i, time] of [2, 4].entries()) expect(found[i]).toBeCloseTo(at(courses[0]!, time).A, 5);
});
