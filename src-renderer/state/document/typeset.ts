/** What a block computes, as lines of TeX, and the row of ports beside which each line stands. */
import { parseFormula } from '../../../models/formula/parse.ts';
import { isReactionFault, parseReaction } from '../../../models/notation/reaction.ts';
import type { BlockDraft } from './draft.ts';
import { isRecord, own } from './draft.ts';
import { formulaTex } from '../words/formula-tex.ts';
import { renameInFormula } from './identifiers.ts';
import { operators } from '../words/kinds.ts';
import { symbolTex } from '../words/symbols.ts';

export interface Line {
  readonly tex: string;
  /** The same as text, for who cannot see it. */
  readonly text: string;
  /** Beside the output of this name; undefined stands in the middle of all rows. */
  readonly output: string | undefined;
}

export type IsSymbol = (name: string) => boolean;

export function linesOf(block: BlockDraft, isSymbol: IsSymbol): Line[] {
  const one = (tex: string, text = block.kind): Line[] => [{ tex, text, output: undefined }];
  const name = (key: string, index = 0) => referenceTex(nth(block[key], index), isSymbol);
  switch (block.kind) {
    case 'map':
    case 'quantity': {
      if (isRecord(block['outputs']))
        return Object.entries(block['outputs']).map(([output, formula]) => ({
          tex: `${symbolTex(output)} = ${formulaTex(String(formula), isSymbol)}`,
          text: `${output} = ${String(formula)}`,
          output,
        }));
      return one(formulaTex(String(block['formula'] ?? ''), isSymbol), String(block['formula'] ?? ''));
    }
    case 'reduce':
      return one(`${operatorTex(block)}\\,${name('values')}`);
    case 'scan': {
      const sign = operatorTex(block);
      if (typeof block['operator'] !== 'string') return one(stepTex(block['operator']) ?? `x_i = x_{i-1} ${sign} v_i`);
      return one(`${sign}_{j ${block['exclusive'] ? '<' : '\\le'} i}\\, ${indexed(name('values'), 'j')}`);
    }
    case 'histogram':
      return one(
        typeof block['operator'] === 'string'
          ? `${operatorTex(block)}_{\\mathrm{key}=b}\\, ${name('values')}`
          : operatorTex(block),
      );
    case 'recurrence':
      return stateLines(block, 'next', isSymbol, (state) => `${indexed(symbolTex(state), 't')} = `);
    case 'ode':
      return rateLines(block, isSymbol);
    case 'solve':
      return stateLines({ ...block, state: block['unknown'] }, 'equation', isSymbol, () => '0 = ');
    case 'filter':
      return one(formulaTex(String(block['where'] ?? ''), isSymbol));
    case 'random-effect': {
      const names = Array.isArray(block['names']) ? block['names'].map(String) : [block.id];
      const [left, spread] =
        names.length === 1
          ? [symbolTex(names[0]!), '\\sigma^2']
          : [`(${names.map((effect) => symbolTex(effect)).join(',\\,')})`, '\\Sigma'];
      return one(`${left} \\sim \\mathcal{N}(0,\\,${spread})`, `${names.join(', ')} are normal about 0`);
    }
    case 'gather':
      return one(`${name('from')}[${name('indices')}]`);
    case 'scatter':
      return one(`${name('into')}[${name('indices')}]`);
    case 'interpolate':
      return one(`${name('ys')}(${name('x')})`);
    case 'concatenate': {
      const list = Array.isArray(block['values']) ? block['values'] : [block['values']];
      return one(`(${list.map((reference) => referenceTex(reference, isSymbol)).join(',\\,')})`);
    }
    case 'reverse':
      return one(indexed(name('values'), 'n-1-i'));
    case 'reshape':
      return one(
        Array.isArray(block['shape']) ? `[${block['shape'].map((size) => String(size)).join(',\\,')}]` : '[\\,]',
      );
    case 'range': {
      const [start, step] = [block['start'] ?? 0, block['step'] ?? 1].map(Number) as [number, number];
      return one(`${start},\\,${Number((start + step).toPrecision(6))},\\,\\dots`);
    }
    case 'transpose':
      return one(`${name('values')}^{\\mathsf T}`);
    case 'matmul':
      return one(`${name('left')}\\,${name('right')}`);
    case 'shift':
      return one(indexed(name('values'), `i-${typeof block['by'] === 'number' ? block['by'] : 1}`));
    case 'slice':
      return one(
        `${name('values')}[${number(block['start'])}:${number(block['stop'])}${block['step'] === undefined ? '' : `:${number(block['step'])}`}]`,
      );
    default:
      return [];
  }
}

/** The foot of an objective: what it minimises. */
export function objectiveTex(block: BlockDraft): string {
  if (block.kind === 'likelihood') return '-\\log p';
  const loss = own(block['loss'], 'kind');
  const residual = block['sigma'] !== undefined ? '(r/\\sigma)^2' : block['weights'] !== undefined ? 'w\\,r^2' : 'r^2';
  const left = block['sigma'] !== undefined ? '\\chi^2 = ' : '';
  return typeof loss === 'string' ? `\\Sigma\\,\\rho(${residual})` : `${left}\\Sigma\\,${residual}`;
}

function stateLines(
  { state: states = {} }: BlockDraft,
  key: string,
  isSymbol: IsSymbol,
  left: (state: string) => string,
): Line[] {
  if (!isRecord(states)) return [];
  return Object.entries(states).map(([output, state]) => ({
    tex: `${left(output)}${formulaTex(String(own(state, key) ?? ''), isSymbol)}`,
    text: `${output}: ${String(own(state, key) ?? '')}`,
    output,
  }));
}

/** Of each state its own rate, and of the reactions that change it the numbers: their rates fill no line of a block. */
function rateLines(block: BlockDraft, isSymbol: IsSymbol): Line[] {
  const states = isRecord(block['state']) ? Object.entries(block['state']) : [];
  const species = states.map(([name]) => name);
  const changes = (Array.isArray(block['reactions']) ? block['reactions'] : []).map((entry) => {
    const parsed = parseReaction(String(own(entry, 'reaction') ?? ''), species);
    return isReactionFault(parsed) ? new Map<string, number>() : parsed;
  });
  return states.map(([output, state]) => {
    const rate = String(own(state, 'rate') ?? '');
    const terms = changes.flatMap((change, k) => {
      const amount = change.get(output) ?? 0;
      const size = Math.abs(amount) === 1 ? '' : `${Math.abs(amount)} `;
      return amount === 0 ? [] : [{ sign: amount < 0 ? '-' : '+', size, number: k + 1 }];
    });
    const hasOwn = rate !== '' && (rate !== '0' || terms.length === 0);
    const per = own(state, 'per');
    const isDivided = typeof per === 'string' && terms.length > 0;
    const sum = (
      alone: string,
      write: (term: (typeof terms)[number]) => string,
      divided: (terms: string) => string,
    ): string => {
      const begins = !hasOwn || isDivided;
      const written = terms
        .map((term, i) => (i === 0 && begins && term.sign === '+' ? '' : `${term.sign} `) + write(term))
        .join(' ');
      const reacted = isDivided ? `${hasOwn ? '+ ' : ''}${divided(written)}` : written;
      return [hasOwn ? alone : '', reacted].filter((part) => part !== '').join(' ') || (changes.length > 0 ? '0' : '');
    };
    const tex = sum(
      formulaTex(rate, isSymbol),
      ({ size, number: k }) => `${size}v_{${k}}`,
      (all) => `\\frac{${all}}{${formulaTex(String(per), isSymbol)}}`,
    );
    const text = sum(
      rate,
      ({ size, number: k }) => `${size}v${k}`,
      (all) => `(${all})/(${String(per)})`,
    );
    return {
      tex: `${dotted(symbolTex(output))} = ${tex}`,
      text: `${output}: ${text}`,
      output,
    };
  });
}

function operatorTex(block: BlockDraft): string {
  const { operator } = block;
  if (operator === undefined) return '\\Sigma';
  return operators.find((known) => known.name === operator)?.sign ?? '\\odot';
}

/** A scan with the model's own operator as a recurrence: the first component, from the state before and the new element. */
function stepTex(operator: unknown): string | undefined {
  const list = (key: string): string[] => {
    const value = own(operator, key);
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  };
  const [left, right, [result]] = [list('left'), list('right'), list('result')];
  if (result === undefined || !parseFormula(result).ok) return undefined;
  const stem = (name: string) => name.replace(/\d+$/, '');
  let formula = result;
  for (const [k, name] of left.entries())
    formula = renameInFormula(formula, name, k === 0 ? 'xbefore' : `${stem(name)}before`);
  for (const name of right) formula = renameInFormula(formula, name, `${stem(name)}_i`);
  const tex = formulaTex(formula, () => false).replace(/\\mathrm\{(\w+?)before\}/g, '$1_{i-1}');
  return `x_i = ${tex}`;
}

/** The symbol's subscript: TeX takes no second, and a dot stands over what is before it. */
const subscriptAtEnd = /_\{((?:[^{}]|\{[^{}]*\})*)\}$/;

function dotted(tex: string): string {
  const subscript = subscriptAtEnd.exec(tex);
  return subscript ? `\\dot{${tex.slice(0, subscript.index)}}${subscript[0]}` : `\\dot{${tex}}`;
}

/** With an index: after a subscript that the name has already, it stands in the same. */
function indexed(tex: string, index: string): string {
  const subscript = subscriptAtEnd.exec(tex);
  return subscript ? `${tex.slice(0, subscript.index)}_{${subscript[1]},\\,${index}}` : `${tex}_{${index}}`;
}

function nth(value: unknown, index: number): unknown {
  return Array.isArray(value) ? value[index] : value;
}

function number(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

function referenceTex(reference: unknown, isSymbol: IsSymbol): string {
  if (typeof reference !== 'string' || reference === '') return '\\square';
  return reference
    .split('.')
    .map((part, i) => symbolTex(part, i === 0 && isSymbol(part)))
    .join('.');
}
