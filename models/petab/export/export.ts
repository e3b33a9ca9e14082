/**
 * A document of ode blocks and likelihoods as a PEtab problem: the model in SBML, experiments from the lanes of its
 * blocks, observables from its likelihoods. `values` are those of `referencesFor`, at the document's own parameters.
 */
import type { Block, BlockOf } from '../../blocks/block.ts';
import { kindOf } from '../../blocks/index.ts';
import { triggersOf } from '../../blocks/ode/schema.ts';
import type { Document } from '../../format/document.ts';
import type { Expression } from '../../formula/syntax.ts';
import { asList } from '../../notation/fields.ts';
import { refuse } from '../../sbml/refusal.ts';
import { writeSbml } from '../../sbml/export/export.ts';
import { name } from '../../sbml/syntax.ts';
import { Courses, type Lane } from './courses.ts';
import { constantsOf } from './dynamics.ts';
import { Elements, type KnownValues } from './elements.ts';
import type { Naming } from './experiments.ts';
import { measuredRows, observableGroups, observableOf, simulationOf } from './measured.ts';
import { modelOf } from './model.ts';
import { printMath, printNumber } from './print.ts';
import type { MeasurementRow, ObservableRow } from './said.ts';
import { version1 } from './version-1.ts';
import { version2 } from './version-2.ts';

const versions = { 1: version1, 2: version2 };

/** Every reference whose value the export needs. */
export function referencesFor(document: Document): string[] {
  const blocks = new Map(document.blocks.map((block) => [block.id, block]));
  const found = new Set<string>();
  const simulation = simulationOf(document);
  const pending = [...asList(document.objective ?? []), ...(simulation === undefined ? [] : [simulation])];
  const seen = new Set<string>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [id = ''] = next.split('.');
    const block = blocks.get(id);
    if (!block) continue;
    if (block.kind !== 'likelihood') found.add(next);
    if (seen.has(id)) continue;
    seen.add(id);
    if (block.kind === 'ode') found.add(`${id}.${Object.keys(block.state)[0]}`);
    pending.push(
      ...kindOf(block)
        .wires(block)
        .map(({ ref }) => ref),
    );
  }
  return [...found];
}

/** Name of a file → its text; the problem's own is `problem.yaml`. Throws a refusal. */
export function exportPetab(
  document: Document,
  values: KnownValues,
  version: keyof typeof versions,
): ReadonlyMap<string, string> {
  const blocks = new Map<string, Block>(document.blocks.map((block) => [block.id, block]));
  const elements = new Elements(blocks, values);
  const odes = document.blocks.filter((block): block is BlockOf<'ode'> => block.kind === 'ode');
  const effect = document.blocks.find(({ kind }) => kind === 'random-effect');
  if (effect) refuse(`"${effect.id}" is a random effect, which PEtab does not have`);
  const courses = new Courses(odes, elements, constantsOf);
  const rows = measuredRows(document, blocks, elements, courses);
  const groups = observableGroups(rows, elements);

  const { first } = courses;
  const courseOf = (i: number): readonly Lane[] => {
    const solution = rows[i]?.solution ?? { ode: first.id, lane: 0 };
    return courses.to(solution.ode, solution.lane);
  };
  const all = rows.map((_, i) => courseOf(i));
  const times = rows.map(({ solution }, i) => (solution ? courses.timeOf(solution) : courseOf(i).at(-1)!.time));
  const model = modelOf(document, blocks, first, all.flat(), elements);
  const sbml = writeSbml(model.document, model.changed);
  const estimated = new Map<string, string>();
  /** What a name of an element is called in the tables. */
  const idOf = (each: string): string => {
    const solution = elements.solutionOf(name(each));
    if (solution) return sbml.idOf(`${first.id}.${solution.own}`);
    const id = sbml.idOf(each);
    const block = blocks.get(each);
    if (block?.kind === 'parameter' && block.fixed !== true) estimated.set(each, id);
    return id;
  };
  const print = (expression: Expression): string => printMath(model.settled(expression), idOf);

  const naming: Naming = {
    varying: model.varying,
    targetOf: (id) => sbml.idOf(id),
    stateOf: (state) => sbml.idOf(`${first.id}.${state}`),
    begins: model.begins,
    print,
    endOf: (expression, state) => elements.solutionOf(expression)?.own === state,
  };

  const filesOf = versions[version]({
    ...{ courses: all, times, naming },
    happensAtStarts: odes.some((ode) => triggersOf(ode).some(({ event }) => event.initial === false)),
  });

  const observables: ObservableRow[] = [];
  const measurements: MeasurementRow[] = [];
  for (const { likelihood, rows: members, predicted, noise } of groups) {
    const wanted = observableOf(likelihood);
    const id = sbml.idOf(`observable ${wanted} ${observables.length}`, wanted);
    const placeholder = (kind: string, i: number): string => `${kind}Parameter${i + 1}_${id}`;
    const listed = (kind: string, count: number): string[] =>
      Array.from({ length: count }, (_, i) => placeholder(kind, i));
    const text = (kind: string, formula: Expression): string =>
      printMath(model.settled(formula), (each) =>
        each.startsWith('#') ? placeholder(kind, Number(each.slice(1)) - 1) : idOf(each),
      );
    const label = blocks.get(wanted)?.label ?? '';
    observables.push({
      id,
      label,
      formula: text('observable', predicted.formula),
      noise: text('noise', noise.formula),
      family: likelihood.family,
      placeholders: listed('observable', predicted.given[0]?.length ?? 0).join(';'),
      noisePlaceholders: listed('noise', noise.given[0]?.length ?? 0).join(';'),
    });
    for (const [k, i] of members.entries()) {
      const given = (list: readonly Expression[]): string => list.map(print).join(';');
      measurements[i] = {
        observable: id,
        time: printNumber(times[i]!),
        value: printNumber(rows[i]?.value ?? NaN),
        given: given(predicted.given[k] ?? []),
        noise: given(noise.given[k] ?? []),
      };
    }
  }
  for (const block of document.blocks)
    if (block.kind === 'parameter' && block.fixed !== true && model.written.has(block.id)) idOf(block.id);
  const parameters = [...blocks.values()].flatMap((block) => {
    const id = estimated.get(block.id);
    return block.kind === 'parameter' && id !== undefined ? [{ id, block }] : [];
  });

  return new Map([['model.xml', sbml.text], ...filesOf({ observables, measurements, parameters })]);
}
