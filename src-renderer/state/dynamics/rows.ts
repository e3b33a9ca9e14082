/**
 * Differential equations and recurrences as they are built by hand: states, reactions, events and inputs as rows. Each
 * function gives the block as it would be; `changesOf` makes of it, and of all that refers to its outputs, one command.
 */
import { isReactionFault, parseReaction } from '../../../models/notation/reaction.ts';
import { isReservedName } from '../../../models/formula/names.ts';
import type { BlockChange } from '../document/commands.ts';
import type { BlockDraft, Draft, JsonRecord } from '../document/draft.ts';
import { freshId, isRecord, own, same, withEntry } from '../document/draft.ts';
import { isIdentifier, renameInFormula } from '../document/identifiers.ts';
import { readNumbers } from '../document/fields/number-fields.ts';
import { readNumber } from '../words/read-number.ts';
import { formulaReferences, namesMentioned, redirect } from '../document/references.ts';
import { blockOfReference, mapFormulas, mapReferences } from '../document/wiring.ts';

/** The key of a state's formula, by the block's kind. */
const formulaKeys: Readonly<Record<string, 'rate' | 'next'>> = { ode: 'rate', recurrence: 'next' };

export function isDynamic(block: BlockDraft | undefined): block is BlockDraft {
  return block !== undefined && Object.hasOwn(formulaKeys, block.kind);
}

export interface StateRow {
  readonly name: string;
  readonly initial: unknown;
  /** Undefined where reactions alone change it. */
  readonly formula: string | undefined;
}

const entries = (record: unknown): [string, unknown][] => (isRecord(record) ? Object.entries(record) : []);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function formulaKeyOf(block: BlockDraft): 'rate' | 'next' {
  return formulaKeys[block.kind] ?? 'rate';
}

export function statesOf(block: BlockDraft): StateRow[] {
  const key = formulaKeyOf(block);
  return entries(block['state']).map(([name, state]) => ({
    name,
    initial: own(state, 'initial'),
    formula: textOf(own(state, key)),
  }));
}

export const stateNamesOf = (block: BlockDraft): string[] => entries(block['state']).map(([name]) => name);

/** Formulas along a solution that have a name, and reactions that have one: the block gives them beside its states. */
export function namedFormulasOf(block: BlockDraft): { readonly name: string; readonly formula: string }[] {
  const formulas = entries(block['formulas']).map(([name, formula]) => ({ name, formula: String(formula) }));
  const rates = list(block['reactions']).flatMap((each) => {
    const name = textOf(own(each, 'name'));
    return name === undefined ? [] : [{ name, formula: textOf(own(each, 'rate')) ?? '' }];
  });
  return [...formulas, ...rates];
}

const outputNamesOf = (block: BlockDraft): string[] => [
  ...stateNamesOf(block),
  ...namedFormulasOf(block).map(({ name }) => name),
];

/** How other blocks name a state: by the block alone where that is all it gives. */
export function stateReference(block: BlockDraft, state: string): string {
  return outputNamesOf(block).length === 1 ? block.id : `${block.id}.${state}`;
}

/** The keys that differ between two versions of a block, as a command takes them. */
function changedKeys(before: BlockDraft, after: BlockDraft): JsonRecord {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    keys.filter((key) => !sameEntry(before[key], after[key])).map((key) => [key, after[key]] as const),
  );
}

/** The order of states is theirs, which `same` does not look at. */
function sameEntry(a: unknown, b: unknown): boolean {
  return a === b || (same(a, b) && JSON.stringify(a) === JSON.stringify(b));
}

/**
 * What becomes of the document where a block becomes `after`. Others follow its outputs: `renamed` says how a state is
 * called now, undefined where it is gone; a block of one output may be named without it, one of several may not.
 */
export function changesOf(
  draft: Draft,
  after: BlockDraft,
  renamed: (state: string) => string | undefined = (state) => state,
): BlockChange[] {
  const before = draft.blocks.find((block) => block.id === after.id);
  if (!before) return [];
  const [was, is] = [outputNamesOf(before), outputNamesOf(after)];
  const follow = (reference: string): string | undefined => {
    if (blockOfReference(reference) !== after.id) return reference;
    const output = reference.slice(after.id.length + 1);
    if (output === '')
      return was.length === 1 && is.length > 1 ? `${after.id}.${renamed(was[0]!) ?? is[0]!}` : reference;
    if (!was.includes(output)) return reference;
    const to = renamed(output);
    if (to === undefined || !is.includes(to)) return undefined;
    return is.length === 1 ? after.id : `${after.id}.${to}`;
  };
  return draft.blocks.flatMap((block) => {
    const next = block.id === after.id ? after : redirect(block, follow);
    const keys = changedKeys(block, next);
    return Object.keys(keys).length === 0 ? [] : [{ block: block.id, keys }];
  });
}

/** Why a state, an input or an unknown of this block cannot be called so; empty where it can. */
export function whyNotNamed(block: BlockDraft, name: string): string {
  if (!isIdentifier(name)) return 'A name has letters, digits and _, and begins with no digit.';
  if (isReservedName(name) || name === 'time') return `The name ${name} has a meaning in formulas.`;
  const known = [...outputNamesOf(block), ...entries(block['inputs']).map(([input]) => input)];
  return known.includes(name) ? `There is a ${name} here already.` : '';
}

function withState(block: BlockDraft, name: string, state: unknown): BlockDraft {
  return { ...block, state: withEntry(block['state'], name, state) };
}

export function addState(block: BlockDraft, name: string): BlockDraft {
  // A rate of 0 and the last value keep it as it is until something is written.
  const formula = block.kind === 'ode' ? '0' : name;
  return withState(block, name, { initial: 0, [formulaKeyOf(block)]: formula });
}

/** Doses into it go, and events set what else they set. Formulas and reactions that are about it say so themselves. */
export function removeState(block: BlockDraft, name: string): BlockDraft {
  const events = list(block['events']).flatMap((event): unknown[] => {
    if (own(event, 'state') === name) return [];
    const left = without(without(event, 'set', name), 'scaled', name);
    return own(event, 'set') !== undefined && own(left, 'set') === undefined ? [] : [left];
  });
  return {
    ...withState(block, name, undefined),
    ...(Array.isArray(block['events']) && { events: events.length > 0 ? events : undefined }),
  };
}

/** The entry `name` of the record at `key` taken out, and the record itself where it was the last. */
function without(event: unknown, key: string, name: string): unknown {
  const record = own(event, key);
  if (own(record, name) === undefined) return event;
  const left = withEntry(record, name, undefined);
  return withEntry(event, key, Object.keys(left).length > 0 ? left : undefined);
}

export function renameState(block: BlockDraft, from: string, to: string): BlockDraft {
  const named = mapFormulas(block, (formula) => renameInFormula(formula, from, to));
  const state = Object.fromEntries(entries(named['state']).map(([name, value]) => [name === from ? to : name, value]));
  const reactions = list(named['reactions']).map((each) => {
    const text = textOf(own(each, 'reaction'));
    return text === undefined ? each : withEntry(each, 'reaction', renameInFormula(text, from, to));
  });
  const events = list(named['events']).map((event) => {
    if (own(event, 'state') === from) return withEntry(event, 'state', to);
    return ['set', 'scaled'].reduce<unknown>((record, key) => {
      const set = own(record, key);
      if (!isRecord(set)) return record;
      const renamed = Object.entries(set).map(([name, value]) => [name === from ? to : name, value] as const);
      return withEntry(record, key, Object.fromEntries(renamed));
    }, event);
  });
  return {
    ...named,
    state,
    ...(Array.isArray(named['reactions']) && { reactions }),
    ...(Array.isArray(named['events']) && { events }),
  };
}

/** One place up (−1) or down (1). */
export function moveState(block: BlockDraft, name: string, by: 1 | -1): BlockDraft {
  const all = entries(block['state']);
  const at = all.findIndex(([state]) => state === name);
  const to = at + by;
  if (at < 0 || to < 0 || to >= all.length) return block;
  const [moved] = all.splice(at, 1);
  all.splice(to, 0, moved!);
  return { ...block, state: Object.fromEntries(all) };
}

export type Taken = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** A number, a list of numbers or the name of a block, as it is typed. */
export function readSource(text: string): Taken {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, message: 'Wanted a number or the name of a block.' };
  if (/^[A-Za-z_]\w*(\.\w+)?$/.test(trimmed) && !/^(inf|infinity|nan)$/i.test(trimmed))
    return { ok: true, value: trimmed };
  return readNumbers(trimmed);
}

/** What a source is, or several numbers, as `0, 12, 24`. What may be either is asked about. */
export function readSources(text: string): Taken {
  if (!text.includes(',')) return readSource(text);
  const number = readNumber(text);
  if (Number.isNaN(number)) return readNumbers(text.trim().startsWith('[') ? text : `[${text}]`);
  return { ok: false, message: `Wanted ${number}, or with a space ${text.trim().replace(',', ', ')}.` };
}

export function setStart(block: BlockDraft, name: string, initial: unknown): BlockDraft {
  return withState(block, name, withEntry(own(block['state'], name), 'initial', initial));
}

/** An empty rate is none where a reaction changes the state. */
export function setFormula(block: BlockDraft, name: string, text: string): BlockDraft {
  const key = formulaKeyOf(block);
  const driven = key === 'rate' && list(block['reactions']).length > 0;
  const formula = text.trim() === '' && driven ? undefined : text;
  return withState(block, name, withEntry(own(block['state'], name), key, formula));
}

// Reactions

export interface ReactionRow {
  readonly reaction: string;
  readonly rate: string;
}

export function reactionsOf(block: BlockDraft): ReactionRow[] {
  return list(block['reactions']).map((each) => ({
    reaction: textOf(own(each, 'reaction')) ?? '',
    rate: textOf(own(each, 'rate')) ?? '',
  }));
}

const species = /[A-Za-z_][A-Za-z0-9_]*/g;
const speciesIn = (text: string): string[] => [...new Set(text.match(species) ?? [])];

/** Its species become states where they are none yet, and a state at rest (rate 0) is left to the reaction. */
function withSpecies(block: BlockDraft, reaction: string): BlockDraft {
  return speciesIn(reaction).reduce((result, name) => {
    const known = own(result['state'], name);
    if (known === undefined) return withState(result, name, { initial: 0 });
    return own(known, 'rate') === '0' ? withState(result, name, withEntry(known, 'rate', undefined)) : result;
  }, block);
}

/** What is wrong with a reaction as it is typed, species that are new apart; empty where it can stand. */
export function whyNotReaction(block: BlockDraft, reaction: string): string {
  const wrong = speciesIn(reaction).find((name) => isReservedName(name) || name === 'time');
  if (wrong !== undefined) return `The name ${wrong} has a meaning in formulas.`;
  const parsed = parseReaction(reaction, [...stateNamesOf(block), ...speciesIn(reaction)]);
  return isReactionFault(parsed) ? `A reaction ${parsed.message}.` : '';
}

/** Mass action: a rate constant times what goes in, `<->` less another times what comes out. The constants are named too. */
export function massAction(
  reaction: string,
  taken: ReadonlySet<string>,
): { readonly rate: string; readonly constants: readonly string[] } {
  const [left = '', right = ''] = reaction.split(/<->|->/);
  const reversible = reaction.includes('<->');
  const power = (side: string) =>
    side.split('+').flatMap((part) => {
      const [, count, name] = /^\s*(?:([\d.]+)\s*\*?\s*)?([A-Za-z_]\w*)\s*$/.exec(part) ?? [];
      return name === undefined ? [] : [count === undefined || Number(count) === 1 ? name : `${name}^${count}`];
    });
  const forward = freshConstant(taken);
  const constants = [forward];
  let rate = [forward, ...power(left)].join('*');
  if (reversible) {
    const back = freshConstant(new Set([...taken, forward]));
    constants.push(back);
    rate += ` - ${[back, ...power(right)].join('*')}`;
  }
  return { rate, constants };
}

function freshConstant(taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) if (!taken.has(`k${n}`)) return `k${n}`;
}

export function addReaction(block: BlockDraft, row: ReactionRow): BlockDraft {
  return withSpecies({ ...block, reactions: [...list(block['reactions']), row] }, row.reaction);
}

export function setReaction(block: BlockDraft, index: number, key: keyof ReactionRow, text: string): BlockDraft {
  const reactions = list(block['reactions']).map((each, i) => (i === index ? withEntry(each, key, text) : each));
  const changed = { ...block, reactions };
  return key === 'reaction' ? atRest(withSpecies(changed, text)) : changed;
}

export function removeReaction(block: BlockDraft, index: number): BlockDraft {
  const reactions = list(block['reactions']).filter((_, i) => i !== index);
  return atRest({ ...block, reactions: reactions.length > 0 ? reactions : undefined });
}

/** A state that no reaction changes any more, and that has no rate, stays as it is. */
function atRest(block: BlockDraft): BlockDraft {
  const changed = new Set(reactionsOf(block).flatMap(({ reaction }) => speciesIn(reaction)));
  return statesOf(block)
    .filter(({ name, formula }) => formula === undefined && !changed.has(name))
    .reduce((result, { name }) => withState(result, name, withEntry(own(result['state'], name), 'rate', '0')), block);
}

// Doses and events

export type EventRow =
  | { readonly kind: 'dose'; readonly times: unknown; readonly state: string; readonly add: unknown }
  | {
      readonly kind: 'event';
      readonly when: string;
      /** As it is typed, and each by itself. */
      readonly set: string;
      readonly sets: readonly Assignment[];
      readonly scaled: readonly Assignment[];
      /** All that the event has. */
      readonly rest: JsonRecord;
    };

export interface Assignment {
  readonly state: string;
  readonly value: string;
}

export function eventsOf(block: BlockDraft): EventRow[] {
  return list(block['events']).map((event): EventRow => {
    const when = own(event, 'when');
    if (when !== undefined) {
      const sets = assignmentsOf(own(event, 'set'));
      const set = sets.map(({ state, value }) => `${state} = ${value}`).join('; ');
      const scaled = assignmentsOf(own(event, 'scaled'));
      return { kind: 'event', when: String(when), set, sets, scaled, rest: isRecord(event) ? event : {} };
    }
    return {
      kind: 'dose',
      times: own(event, 'times'),
      state: textOf(own(event, 'state')) ?? '',
      add: own(event, 'add'),
    };
  });
}

const assignmentsOf = (record: unknown): Assignment[] =>
  entries(record).map(([state, value]) => ({ state, value: String(value) }));

export function readSet(text: string, states: readonly string[]): Taken {
  const pairs: [string, string][] = [];
  for (const part of text.split(';').filter((each) => each.trim() !== '')) {
    const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=\s*(.+?)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined)
      return {
        ok: false,
        message: `Wanted a state and what it becomes, as in ${states[0] ?? 'x'} = 0; got ${part.trim()}.`,
      };
    if (!states.includes(name)) return { ok: false, message: `There is no state ${name}.` };
    pairs.push([name, value]);
  }
  if (pairs.length === 0) return { ok: false, message: `Wanted what a state becomes, as in ${states[0] ?? 'x'} = 0.` };
  return { ok: true, value: Object.fromEntries(pairs) };
}

/** How soon an event is carried out, and before which others: a number or a formula, as it is typed; empty where it is not said. */
export function readSetting(key: 'delay' | 'priority', text: string): Taken {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: true, value: undefined };
  const number = readNumber(trimmed);
  if (!Number.isFinite(number)) return { ok: true, value: trimmed };
  if (key === 'delay' && number < 0) return { ok: false, message: `Wanted a delay of 0 or more; got ${trimmed}.` };
  return { ok: true, value: number };
}

/** When the solution begins; empty where that is the first of the times. */
export function readFrom(text: string): Taken {
  if (text.trim() === '') return { ok: true, value: undefined };
  const read = readSource(text);
  const isInfinite = /^-?Infinity$/.test(String(read.ok && read.value));
  if (!read.ok || (!isInfinite && (typeof read.value === 'string' || Number.isFinite(read.value)))) return read;
  return { ok: false, message: `Wanted one time or the name of a block; got ${text.trim()}.` };
}

/** What an event has beside its condition and what it sets. */
export const isSettled = ({ rest }: Extract<EventRow, { kind: 'event' }>): boolean =>
  ['delay', 'priority', 'persistent', 'initial', 'values'].some((key) => rest[key] !== undefined);

export function addEvent(block: BlockDraft, event: JsonRecord): BlockDraft {
  return { ...block, events: [...list(block['events']), event] };
}

export function setEvent(block: BlockDraft, index: number, key: string, value: unknown): BlockDraft {
  return {
    ...block,
    events: list(block['events']).map((event, i) => (i === index ? withEntry(event, key, value) : event)),
  };
}

export function removeEvent(block: BlockDraft, index: number): BlockDraft {
  const events = list(block['events']).filter((_, i) => i !== index);
  return { ...block, events: events.length > 0 ? events : undefined };
}

// What it is given

export interface InputRow {
  readonly name: string;
  readonly times: string;
  readonly values: string;
  readonly linear: boolean;
}

/** Of a recurrence one array each, stepped along; of a differential equation values at times. */
export function inputsOf(block: BlockDraft): InputRow[] {
  return entries(block['inputs']).map(([name, input]) => ({
    name,
    times: textOf(own(input, 'times')) ?? '',
    values: textOf(input) ?? textOf(own(input, 'values')) ?? '',
    linear: own(input, 'interpolation') === 'linear',
  }));
}

export function addInput(block: BlockDraft, name: string): BlockDraft {
  const input = block.kind === 'ode' ? { times: '', values: '' } : '';
  return { ...block, inputs: withEntry(block['inputs'], name, input) };
}

export function setInput(block: BlockDraft, name: string, key: 'times' | 'values', reference: string): BlockDraft {
  const known = own(block['inputs'], name);
  const input = block.kind === 'ode' ? withEntry(known, key, reference) : reference;
  return { ...block, inputs: withEntry(block['inputs'], name, input) };
}

export function setInterpolation(block: BlockDraft, name: string, linear: boolean): BlockDraft {
  const known = withEntry(own(block['inputs'], name), 'interpolation', linear ? 'linear' : undefined);
  return { ...block, inputs: withEntry(block['inputs'], name, known) };
}

export function removeInput(block: BlockDraft, name: string): BlockDraft {
  const inputs = withEntry(block['inputs'], name, undefined);
  return { ...block, inputs: Object.keys(inputs).length > 0 ? inputs : undefined };
}

/** Names that the block takes and no block has: what a click makes parameters of. */
export function missingNames(draft: Draft, block: BlockDraft): string[] {
  const known = new Set(draft.blocks.map(({ id }) => id));
  const names = new Set(formulaReferences(block));
  mapReferences(block, (reference) => {
    names.add(reference);
    return reference;
  });
  return [...names].filter((name) => isIdentifier(name) && !isReservedName(name) && !known.has(name));
}

/** Times that are typed as `0 to 24`, or as `0 to 24 in 48 steps`, are a range of its own. */
export function readTimes(text: string, taken: ReadonlySet<string>): BlockDraft | undefined {
  const [, first, last, count] =
    /^\s*(-?[\d.,]+(?:e-?\d+)?)\s*(?:to|\.\.|–)\s*(-?[\d.,]+(?:e-?\d+)?)(?:\s*(?:in\s*)?(\d+)(?:\s*steps)?)?\s*$/i.exec(
      text,
    ) ?? [];
  const [start, end, steps] = [readNumber(first ?? ''), readNumber(last ?? ''), Number(count ?? usualSteps)];
  if (!(end > start) || !(steps >= 1)) return undefined;
  return { id: freshId(taken, 't'), kind: 'range', start, step: (end - start) / steps, length: steps + 1 };
}

const usualSteps = 100;

/** All names that a new constant or parameter may not have. */
export function takenNames(draft: Draft, block: BlockDraft): Set<string> {
  return new Set([...draft.blocks.map(({ id }) => id), ...namesMentioned(block), ...stateNamesOf(block)]);
}
