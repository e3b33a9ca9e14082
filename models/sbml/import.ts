/** From an SBML file to a document that a person would write: constants, and an ode block of reactions and formulas. */
import { printExpression } from '../formula/print.ts';
import { fromNumber } from '../notation/numbers.ts';
import { Along } from './along.ts';
import type { BlockJson } from './blocks.ts';
import { dynamicsOf } from './dynamics.ts';
import { doesSomething, eventOf } from './events.ts';
import type { SbmlModel } from './model.ts';
import { freshNames } from './names.ts';
import { outputNames, type NamedOutput } from './outputs.ts';
import { readSbml } from './read.ts';
import { numberIn, Start } from './start.ts';
import { Symbols } from './symbols.ts';
import { translator } from './translate.ts';
import { unitText } from './units.ts';
import { unsetWarnings } from './unset.ts';

export interface ImportedModel {
  /** As it stands in a file. */
  readonly document: Record<string, unknown>;
  readonly warnings: readonly string[];
}

/** Where simulation begins, and what is drawn before anybody says until when. */
const usualTimes = { length: 101, start: 0, step: 0.1 };

/** `others` are files that it names, by the paths that it names them by. Throws `SbmlRefusal`. */
export function importSbml(text: string, others: ReadonlyMap<string, string> = new Map()): ImportedModel {
  const model = readSbml(text, others);
  const symbols = new Symbols(model);
  const names = freshNames(['time']);
  const along = new Along(model, symbols, translator(model.functions), names);
  const start = new Start(along, names);
  const constants = constantBlocks(along, start);
  const { state, reactions, formulas } = dynamicsOf(along, start);
  const events = model.events.map((event) => eventOf(along, event, model.events)).filter(doesSomething);
  const none = Object.keys(state).length === 0;
  // Only a solution looks back.
  const solved = !none || symbols.looksBack;
  const ode = names.fresh('model');
  const blocks: BlockJson[] = [
    { id: 'time', kind: 'range', ...usualTimes },
    ...constants,
    ...start.blocks,
    ...(solved
      ? [
          {
            id: ode,
            kind: 'ode',
            ...(model.name !== undefined && { label: model.name }),
            times: 'time',
            from: 0,
            state: none ? { [names.fresh('nothing')]: { initial: 0, rate: '0' } } : state,
            ...(reactions.length > 0 && { reactions }),
            ...(Object.keys(formulas).length > 0 && { formulas }),
            ...(events.length > 0 && { events }),
          },
        ]
      : Object.entries(formulas).map(([id, formula]) => ({ id, kind: 'map', formula }))),
  ];
  const outputs: Record<string, NamedOutput> = outputNames(along, solved ? ode : undefined);
  return {
    document: {
      format: 'cotangent/1',
      name: model.name ?? model.id ?? 'SBML model',
      note: `From SBML Level ${model.level} Version ${model.version}.`,
      blocks,
      names: outputs,
    },
    warnings: [...model.warnings, ...unsetWarnings(blocks)],
  };
}

/** What stays as it is: parameters, compartments, species that nothing changes. Those of an assignment are formulas. */
function constantBlocks(along: Along, start: Start): BlockJson[] {
  const { symbols, model } = along;
  const blocks: BlockJson[] = [];
  for (const [id, role] of symbols.roles) {
    if (role !== 'constant') continue;
    const amount = along.amounts.get(id);
    const value = amount === undefined ? start.value(id) : start.amount(id);
    const constant = numberIn(value);
    const block = amount ?? along.ids.get(id) ?? id;
    const about = described(model, id);
    if (constant === undefined)
      blocks.push({ id: block, kind: 'map', ...about.words, formula: printExpression(value) });
    else blocks.push({ id: block, kind: 'parameter', ...about.words, initial: fromNumber(constant), ...about.fixed });
  }
  return blocks;
}

/** Its name and unit; a parameter is what a fit may change, the rest stays unless somebody says otherwise. */
export function described(
  model: SbmlModel,
  id: string,
): { words: { label?: string; unit?: string }; fixed: { fixed?: true } } {
  const parameters = [...model.parameters, ...model.reactions.flatMap((reaction) => reaction.parameters)];
  const parameter = parameters.find((each) => each.id === id);
  const found = parameter ?? [...model.compartments, ...model.species].find((each) => each.id === id);
  const unit = parameter || model.compartments.some((each) => each.id === id) ? found?.units : undefined;
  const text = unitText(model.units, unit);
  return {
    words: {
      ...(found?.name !== undefined && found.name !== id && { label: found.name }),
      ...(text !== undefined && { unit: text }),
    },
    fixed: parameter ? {} : { fixed: true },
  };
}
