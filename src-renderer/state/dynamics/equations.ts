/** What the rows of a differential equation or recurrence mean: dx/dt = rate + Σⱼ nⱼ·vⱼ, where each state starts, what events do. */
import { isReactionFault, parseReaction } from '../../../models/notation/reaction.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import type { BlockDraft } from '../document/draft.ts';
import { own } from '../document/draft.ts';
import { formulaTex } from '../words/formula-tex.ts';
import { symbolTex } from '../words/symbols.ts';
import { writeNumbers } from '../document/fields/number-fields.ts';
import type { EventRow } from './rows.ts';
import { eventsOf, namedFormulasOf, reactionsOf, stateNamesOf, statesOf } from './rows.ts';

export interface Equation {
  readonly tex: string;
  /** The same, for who cannot see it. */
  readonly text: string;
}

type IsSymbol = (name: string) => boolean;

/** With a sign before it; a formula of several lines, or one that is none yet, stands as a term of its own. */
function term(amount: number, rate: string, first: boolean): string {
  const sign = amount < 0 ? '-' : first ? '' : '+';
  const size = Math.abs(amount) === 1 ? '' : `${Math.abs(amount)} * `;
  const parsed = parseFormula(rate);
  const sum = parsed.ok && parsed.formula.result.kind === 'binary' && '+-'.includes(parsed.formula.result.operator);
  return ` ${sign} ${size}${sum && (sign !== '' || size !== '') ? `(${rate})` : rate}`;
}

/** What a state changes by, as one formula. */
export function wholeRate(block: BlockDraft, state: string, formula: string | undefined): string {
  const species = stateNamesOf(block);
  const terms = reactionsOf(block).flatMap(({ reaction, rate }) => {
    const parsed = parseReaction(reaction, species);
    const amount = isReactionFault(parsed) ? undefined : parsed.get(state);
    return amount === undefined || rate === '' ? [] : [{ amount, rate }];
  });
  const alone = formula === undefined || (formula === '0' && terms.length > 0) ? '' : formula;
  const summed = (before: string) =>
    terms.reduce((text, { amount, rate }) => text + term(amount, rate, text === ''), before).trim();
  const per = own(own(block['state'], state), 'per');
  const whole =
    typeof per === 'string' && terms.length > 0
      ? `${alone}${term(1, `(${summed('')})/(${per})`, alone === '')}`.trim()
      : summed(alone);
  return whole || '0';
}

export function equationsOf(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  const ode = block.kind === 'ode';
  return statesOf(block).map(({ name, formula }) => {
    const rate = ode ? wholeRate(block, name, formula) : (formula ?? '');
    const symbol = symbolTex(name);
    const left = ode ? `\\frac{\\mathrm{d}${symbol}}{\\mathrm{d}t}` : `${symbol}`;
    return {
      tex: `${left} ${ode ? '=' : '\\leftarrow'} ${formulaTex(rate, isSymbol)}`,
      text: ode ? `rate of ${name}: ${rate}` : `next ${name}: ${rate}`,
    };
  });
}

/** What rates, events and other blocks call by a name: formulas along the solution, and rates of reactions. */
export function namedEquations(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  return namedFormulasOf(block).map(({ name, formula }) => ({
    tex: `${symbolTex(name)} = ${formulaTex(formula, isSymbol)}`,
    text: `${name} is ${formula}`,
  }));
}

export function startsOf(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  const from = block.kind === 'ode' ? block['from'] : undefined;
  const [atTex, at] =
    from === undefined ? ['', ''] : [`\\quad\\text{at } t = ${sourceTex(from, isSymbol)}`, ` at ${writeNumbers(from)}`];
  return statesOf(block).map(({ name, initial }) => {
    const history = own(own(block['state'], name), 'history');
    const [beforeTex, before] =
      typeof history === 'string'
        ? [`,\\quad ${formulaTex(history, isSymbol)}\\text{ before}`, `, was ${history} before`]
        : ['', ''];
    return {
      tex: `${symbolTex(name)}_0 = ${sourceTex(initial, isSymbol)}${atTex}${beforeTex}`,
      text: `${name} starts at ${writeNumbers(initial)}${at}${before}`,
    };
  });
}

/** A number, or what a block of this name gives. */
function sourceTex(value: unknown, isSymbol: IsSymbol): string {
  return typeof value === 'string' && !/^-?Infinity$|^NaN$/.test(value)
    ? symbolTex(value, isSymbol(value))
    : writeNumbers(value);
}

export function eventEquations(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  return eventsOf(block).map((event) => {
    if (event.kind === 'dose') {
      const symbol = symbolTex(event.state);
      return {
        tex: `${symbol} \\mathrel{+}= ${sourceTex(event.add, isSymbol)} \\quad\\text{at } t = ${sourceTex(event.times, isSymbol)}`,
        text: `${event.state} grows by ${writeNumbers(event.add)} at ${writeNumbers(event.times)}`,
      };
    }
    const { when, sets } = event;
    const set = sets.map(({ state, value }) => `${symbolTex(state)} \\leftarrow ${formulaTex(value, isSymbol)}`);
    const more = settledBy(event, isSymbol);
    return {
      tex: [
        `${set.join(',\\;')} \\quad\\text{when } ${formulaTex(when, isSymbol)}`,
        ...more.map(({ tex }) => tex),
      ].join(',\\;'),
      text: [`${event.set} when ${when}`, ...more.map(({ text }) => text)].join(', '),
    };
  });
}

/** What is said of an event besides, which no row has a field for. */
function settledBy({ scaled, rest }: Extract<EventRow, { kind: 'event' }>, isSymbol: IsSymbol): Equation[] {
  const words = (text: string): Equation => ({ tex: `\\text{${text}}`, text });
  const around = (before: string, formula: unknown, after: string): Equation => {
    const text = String(formula);
    return {
      tex: `\\text{${before}}${formulaTex(text, isSymbol)}\\text{${after}}`,
      text: `${before}${text}${after}`,
    };
  };
  return [
    ...(rest['delay'] === undefined ? [] : [around('carried out ', rest['delay'], ' later')]),
    ...(rest['values'] === 'execution' ? [words('by values as they are then')] : []),
    ...scaled.map(({ state, value }) => around(`${state} times `, value, ' as it is then')),
    ...(rest['persistent'] === false ? [words('unless that has ceased to hold')] : []),
    ...(rest['priority'] === undefined ? [] : [around('with the priority ', rest['priority'], '')]),
    ...(rest['initial'] === false ? [words('at the start too')] : []),
  ];
}
