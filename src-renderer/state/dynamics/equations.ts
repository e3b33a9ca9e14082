/** What the rows of a differential equation or recurrence mean: dx/dt = rate + Σⱼ nⱼ·vⱼ, where each state starts, what events do. */
import { isReactionFault, parseReaction } from '../../../models/notation/reaction.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import type { BlockDraft } from '../document/draft.ts';
import { formulaTex } from '../words/formula-tex.ts';
import { symbolTex } from '../words/symbols.ts';
import { writeNumbers } from '../document/fields/number-fields.ts';
import { eventsOf, reactionsOf, stateNamesOf, statesOf } from './rows.ts';

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
  const own = formula === undefined || (formula === '0' && terms.length > 0) ? '' : formula;
  return terms.reduce((text, { amount, rate }) => text + term(amount, rate, text === ''), own).trim() || '0';
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

export function startsOf(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  return statesOf(block).map(({ name, initial }) => {
    const value = writeNumbers(initial);
    const right =
      typeof initial === 'string' && !/^-?Infinity$|^NaN$/.test(initial)
        ? symbolTex(initial, isSymbol(initial))
        : value;
    return { tex: `${symbolTex(name)}_0 = ${right}`, text: `${name} starts at ${value}` };
  });
}

export function eventEquations(block: BlockDraft, isSymbol: IsSymbol): Equation[] {
  const source = (value: unknown) =>
    typeof value === 'string' ? symbolTex(value, isSymbol(value)) : writeNumbers(value);
  return eventsOf(block).map((event) => {
    if (event.kind === 'dose') {
      const symbol = symbolTex(event.state);
      return {
        tex: `${symbol} \\mathrel{+}= ${source(event.add)} \\quad\\text{at } t = ${source(event.times)}`,
        text: `${event.state} grows by ${writeNumbers(event.add)} at ${writeNumbers(event.times)}`,
      };
    }
    const set = event.set.split(';').map((part) => {
      const [name = '', value = ''] = part.split('=').map((side) => side.trim());
      return `${symbolTex(name)} \\leftarrow ${formulaTex(value, isSymbol)}`;
    });
    return {
      tex: `${set.join(',\\;')} \\quad\\text{when } ${formulaTex(event.when, isSymbol)}`,
      text: `${event.set} when ${event.when}`,
    };
  });
}
