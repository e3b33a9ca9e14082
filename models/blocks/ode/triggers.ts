/** Events of an ode block: when they happen, and what they set. */
import type { ScalarBuilder, ScalarOperand } from '../../../engine/index.ts';
import type { InferContext } from '../kind.ts';
import { didYouMean } from '../../notation/names.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { stateNames, triggersOf, type OdeBlock, type OdeTrigger } from './schema.ts';

export interface Trigger {
  /** States by their number, in the order of the values. */
  readonly sets: readonly number[];
  readonly delayed: boolean;
  readonly ranked: boolean;
  readonly persistent: boolean;
  /** Whether its condition is taken to have held before the start. */
  readonly initial: boolean;
  /** Whether its values are those of when it was triggered, or of when it is carried out. */
  readonly atTrigger: boolean;
  /** Of each value whether it is multiplied, when it is carried out, by something as it is then. */
  readonly scaled: readonly boolean[];
}

export interface TriggerFormula {
  readonly output: string;
  readonly text: string;
  readonly want: 'real' | 'bool';
}

const outputOf = (i: number, what: string): string => `events.${i}.${what}`;

export function triggersIn(block: OdeBlock): Trigger[] {
  const states = stateNames(block);
  return triggersOf(block).map(({ event }) => ({
    sets: Object.keys(event.set).map((state) => states.indexOf(state)),
    delayed: event.delay !== undefined,
    ranked: event.priority !== undefined,
    persistent: event.persistent ?? true,
    initial: event.initial ?? true,
    atTrigger: (event.values ?? 'trigger') === 'trigger',
    scaled: Object.keys(event.set).map((state) => Object.hasOwn(event.scaled ?? {}, state)),
  }));
}

export function triggerFormulas(block: OdeBlock): TriggerFormula[] {
  return triggersOf(block).flatMap(({ event, index }) => [
    { output: outputOf(index, 'when'), text: event.when, want: 'bool' as const },
    ...(['delay', 'priority'] as const).flatMap((key) =>
      event[key] === undefined
        ? []
        : [{ output: outputOf(index, key), text: String(event[key]), want: 'real' as const }],
    ),
    ...Object.entries(event.set).map(([state, text]) => ({
      output: outputOf(index, `set.${state}`),
      text: String(text),
      want: 'real' as const,
    })),
    ...scalesOf(event).map(({ state, text }) => ({
      output: outputOf(index, `scaled.${state}`),
      text: String(text),
      want: 'real' as const,
    })),
  ]);
}

/** In the order of what it sets. */
function scalesOf({ set, scaled = {} }: OdeTrigger): { readonly state: string; readonly text: string | number }[] {
  return Object.keys(set).flatMap((state) => {
    const text = Object.hasOwn(scaled, state) ? scaled[state] : undefined;
    return text === undefined ? [] : [{ state, text }];
  });
}

/** Of each event whether it holds (1 or 0), its delay and its priority where it has them, its values, and what scales these. */
export function triggerResults(
  block: OdeBlock,
  s: ScalarBuilder,
  valueOf: (output: string) => ScalarOperand,
): ScalarOperand[] {
  return triggersOf(block).flatMap(({ event, index }) => [
    s.apply('real', valueOf(outputOf(index, 'when'))),
    ...(event.delay === undefined ? [] : [valueOf(outputOf(index, 'delay'))]),
    ...(event.priority === undefined ? [] : [valueOf(outputOf(index, 'priority'))]),
    ...Object.keys(event.set).map((state) => valueOf(outputOf(index, `set.${state}`))),
    ...scalesOf(event).map(({ state }) => valueOf(outputOf(index, `scaled.${state}`))),
  ]);
}

/** Of each event where its results begin, `when` first. */
export function triggerPlaces(triggers: readonly Trigger[]): number[] {
  let place = 0;
  return triggers.map(({ sets, delayed, ranked, scaled }) => {
    const own = place;
    place += 1 + Number(delayed) + Number(ranked) + sets.length + scaled.filter(Boolean).length;
    return own;
  });
}

/** What is a number as it stands; undefined of other formulas. */
function plainNumber(given: string | number): number | undefined {
  if (isDocumentNumber(given)) return toNumber(given);
  const text = given.replace(/\s/g, '');
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** Whether what the events set are states, and none happens before it is triggered. */
export function triggersFit(block: OdeBlock, context: InferContext): boolean {
  const states = stateNames(block);
  for (const { event, index } of triggersOf(block)) {
    const delay = event.delay === undefined ? 0 : plainNumber(event.delay);
    if (delay !== undefined && !(delay >= 0)) {
      context.fail(`event ${index} has the delay ${delay}, and happens when it is triggered or later`, {
        port: `events.${index}.delay`,
        wanted: 'a delay of 0 or more',
        got: String(delay),
      });
      return false;
    }
    const stray = Object.keys(event.scaled ?? {}).find((state) => !Object.hasOwn(event.set, state));
    if (stray !== undefined) {
      const fix = didYouMean(stray, Object.keys(event.set)) ?? 'what is scaled is one of the values of "set"';
      context.fail(`event ${index} scales "${stray}", which it does not set`, {
        port: `events.${index}.scaled`,
        got: stray,
        fix,
      });
      return false;
    }
    for (const state of Object.keys(event.set)) {
      if (states.includes(state)) continue;
      const fix = didYouMean(state, states) ?? `its states are ${states.join(', ')}`;
      context.fail(`event ${index} sets "${state}", which is no state`, {
        port: `events.${index}.set`,
        got: state,
        fix,
      });
      return false;
    }
  }
  return true;
}
