/**
 * What an ode block says of its own past: delay(x, lag) is what x was so long ago, of any formula over states, inputs and
 * the time. Each is written out until only single states and inputs of the past are left,
 *
 *   delay(f(x, u, time), lag)  =  f(x(t − lag), u(t − lag), time − lag)
 *
 * which have names of their own; so nothing else of a block knows of delays but what solves it.
 */
import { isDocumentNumber } from '../../notation/numbers.ts';
import { parseFormula } from '../../formula/parse.ts';
import { printExpression } from '../../formula/print.ts';
import { chainOf, walk, type Expression, type ExpressionOf, type Formula } from '../../formula/syntax.ts';
import { inputNames, reactionsOf, stateNames, type OdeBlock } from './schema.ts';

/** A state or an input as it was before one of the lags. */
export interface Past {
  readonly name: string;
  readonly of: string;
  readonly lag: number;
}

export interface Delays {
  /** Formulas over what comes from outside. */
  readonly lags: readonly string[];
  readonly states: readonly Past[];
  readonly inputs: readonly Past[];
  /** What is written out in the place of each delay(). */
  readonly formulas: readonly { readonly output: string; readonly text: string }[];
  /** What is wrong, as the end of a sentence on the block. */
  readonly fault: string | undefined;
}

const none: Delays = { lags: [], states: [], inputs: [], formulas: [], fault: undefined };
const known = new WeakMap<OdeBlock, Delays>();
const written = new WeakMap<OdeBlock, OdeBlock>();

/** Those of a block that `writtenOut` gave. */
export function delaysIn(block: OdeBlock): Delays {
  return known.get(block) ?? none;
}

export function looksBack(block: OdeBlock): boolean {
  return delaysIn(block).lags.length > 0;
}

/** The block with a name in the place of each delay(): the very block where there is none. */
export function writtenOut(block: OdeBlock): OdeBlock {
  const before = written.get(block);
  if (before) return before;
  const texts = textsOf(block);
  const found = texts.some((text) => text.includes('delay')) ? new Writer(block, texts).block() : block;
  written.set(block, found);
  return found;
}

function textsOf(block: OdeBlock): string[] {
  const maybe = (text: string | number | undefined): string[] => (typeof text === 'string' ? [text] : []);
  return [
    ...Object.values(block.state).flatMap(({ rate, per }) => [...maybe(rate), ...maybe(per)]),
    ...reactionsOf(block).map(({ rate }) => rate),
    ...Object.values(block.formulas ?? {}),
    ...(block.events ?? []).flatMap((event) =>
      'when' in event
        ? [
            ...[event.when, ...[event.set, event.scaled ?? {}].flatMap(Object.values).flatMap(maybe)],
            ...[...maybe(event.delay), ...maybe(event.priority)],
          ]
        : [],
    ),
  ];
}

class Fault extends Error {}

class Writer {
  private readonly taken: Set<string>;
  private readonly lags: string[] = [];
  private readonly pasts = new Map<string, Past>();
  private readonly formulas = new Map<string, string>();
  private readonly named: ReadonlyMap<string, string>;
  private readonly own: ReadonlySet<string>;
  private fault: string | undefined;

  constructor(
    private readonly source: OdeBlock,
    texts: readonly string[],
  ) {
    this.taken = new Set(texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []));
    this.named = new Map([
      ...Object.entries(source.formulas ?? {}),
      ...reactionsOf(source).flatMap(({ name, rate }) => (name === undefined ? [] : [[name, rate] as const])),
    ]);
    this.own = new Set([...stateNames(source), ...inputNames(source), 'time']);
  }

  block(): OdeBlock {
    const { source } = this;
    const maybe = <T>(text: T): T => (typeof text === 'string' ? (this.text(text) as T) : text);
    const each = <T extends object>(record: T): T =>
      Object.fromEntries(Object.entries(record).map(([key, text]) => [key, maybe(text) as unknown])) as T;
    const block: OdeBlock = {
      ...source,
      state: Object.fromEntries(
        Object.entries(source.state).map(([name, { rate, per, ...state }]) => [
          name,
          {
            ...state,
            ...(rate !== undefined && { rate: this.text(rate) }),
            ...(per !== undefined && { per: this.text(per) }),
          },
        ]),
      ),
      ...(source.reactions && {
        reactions: source.reactions.map((reaction) => ({ ...reaction, rate: this.text(reaction.rate) })),
      }),
      ...(source.formulas && { formulas: each(source.formulas) }),
      ...(source.events && {
        events: source.events.map((event) =>
          'when' in event
            ? {
                ...event,
                when: this.text(event.when),
                set: each(event.set),
                ...(event.scaled && { scaled: each(event.scaled) }),
                ...(event.delay !== undefined && { delay: maybe(event.delay) }),
                ...(event.priority !== undefined && { priority: maybe(event.priority) }),
              }
            : event,
        ),
      }),
    };
    const isInput = ({ of }: Past): boolean => inputNames(source).includes(of);
    const pasts = [...this.pasts.values()];
    known.set(block, {
      lags: this.lags,
      states: pasts.filter((past) => !isInput(past)),
      inputs: pasts.filter(isInput),
      formulas: [...this.formulas].map(([text, output]) => ({ output, text })),
      fault: this.fault,
    });
    return block;
  }

  /** A name takes no more room than what it stands for, so that errors in the rest keep their places. */
  private text(text: string): string {
    const parsed = parseFormula(text);
    if (!text.includes('delay') || !parsed.ok) return text;
    const { formula } = parsed;
    let result = text;
    for (const call of outermost(formula).reverse()) {
      const name = this.nameOf(call, formula);
      result = result.slice(0, call.from) + name.padEnd(call.to - call.from) + result.slice(call.to);
    }
    return result;
  }

  private nameOf(call: ExpressionOf<'call'>, formula: Formula): string {
    try {
      const text = printExpression(this.past(call, localsOf(formula), undefined, []));
      const before = this.formulas.get(text);
      if (before !== undefined) return before;
      const name = this.fresh(`delay_${this.formulas.size}`);
      this.formulas.set(text, name);
      return name;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.fault ??= error.message;
      return '0';
    }
  }

  /** The expression as it was before `lag`; `path`: the named formulas in which it stands. */
  private past(
    node: Expression,
    locals: ReadonlyMap<string, Expression>,
    lag: Expression | undefined,
    path: readonly string[],
  ): Expression {
    const inner = (each: Expression): Expression => this.past(each, locals, lag, path);
    switch (node.kind) {
      case 'name':
        return this.pastOfName(node, locals, lag, path);
      case 'unary':
        return { ...node, operand: inner(node.operand) };
      case 'binary': {
        const [first] = chainOf(node);
        return chainOf(node).reduce<Expression>(
          (left, link) => ({ ...link, left, right: inner(link.right) }),
          inner(first!.left),
        );
      }
      case 'call': {
        if (node.name !== 'delay') return { ...node, operands: node.operands.map(inner) };
        const [of, by] = node.operands;
        if (!of || !by || node.operands.length !== 2)
          throw new Fault(`has a delay() of ${node.operands.length} arguments, and it takes two, as in delay(x, lag)`);
        const own = this.lagOf(by, locals);
        return this.past(of, locals, own && (lag ? sum(lag, own) : own), path);
      }
      default:
        return node;
    }
  }

  private pastOfName(
    node: ExpressionOf<'name'>,
    locals: ReadonlyMap<string, Expression>,
    lag: Expression | undefined,
    path: readonly string[],
  ): Expression {
    const { name } = node;
    const local = locals.get(name);
    if (local) return this.past(local, locals, lag, path);
    if (!lag) return node;
    if (name === 'time') return { ...node, kind: 'binary', operator: '-', left: node, right: lag };
    if (this.own.has(name)) return { ...node, name: this.pastOf(name, lag) };
    const formula = this.named.get(name);
    if (formula === undefined) return node;
    if (path.includes(name)) throw new Fault(`looks at the past of "${name}" in "${name}" itself, which is no state`);
    const parsed = parseFormula(formula);
    if (!parsed.ok) return node;
    return this.past(parsed.formula.result, localsOf(parsed.formula), lag, [...path, name]);
  }

  private pastOf(of: string, lag: Expression): string {
    const text = printExpression(lag);
    if (!this.lags.includes(text)) this.lags.push(text);
    const index = this.lags.indexOf(text);
    const key = `${index} ${of}`;
    const past = this.pasts.get(key) ?? { name: this.fresh(`${of}_before_${index}`), of, lag: index };
    this.pasts.set(key, past);
    return past.name;
  }

  /** Undefined of none at all. What moves along the solution is refused. */
  private lagOf(by: Expression, locals: ReadonlyMap<string, Expression>): Expression | undefined {
    const lag = this.outside(by, locals, []);
    const value = lag.kind === 'unary' && lag.operator === '-' ? lag.operand : lag;
    if (value.kind !== 'number') return lag;
    if (value.value === 0) return undefined;
    if (value !== lag) throw new Fault(`looks ahead: the lag of a delay() is ${printExpression(lag)}`);
    return lag;
  }

  private outside(node: Expression, locals: ReadonlyMap<string, Expression>, path: readonly string[]): Expression {
    const inner = (each: Expression): Expression => this.outside(each, locals, path);
    if (node.kind === 'unary') return { ...node, operand: inner(node.operand) };
    if (node.kind === 'binary') return { ...node, left: inner(node.left), right: inner(node.right) };
    if (node.kind === 'call') return { ...node, operands: node.operands.map(inner) };
    if (node.kind !== 'name') return node;
    const local = locals.get(node.name);
    if (local) return inner(local);
    if (this.own.has(node.name))
      throw new Fault(`has a delay() whose lag depends on "${node.name}", and a lag is the same all along a solution`);
    const formula = this.named.get(node.name);
    const parsed = formula === undefined || path.includes(node.name) ? undefined : parseFormula(formula);
    if (!parsed?.ok) return node;
    return this.outside(parsed.formula.result, localsOf(parsed.formula), [...path, node.name]);
  }

  private fresh(wanted: string): string {
    let name = wanted;
    while (this.taken.has(name) || isDocumentNumber(name)) name = `${name}_`;
    this.taken.add(name);
    return name;
  }
}

function sum(left: Expression, right: Expression): Expression {
  return { kind: 'binary', operator: '+', left, right, from: 0, to: 0 };
}

function localsOf({ definitions }: Formula): ReadonlyMap<string, Expression> {
  return new Map(definitions.map(({ name, value }) => [name, value]));
}

/** Calls of delay() that stand in no other, in the order of the text. */
function outermost({ definitions, result }: Formula): ExpressionOf<'call'>[] {
  const found: ExpressionOf<'call'>[] = [];
  for (const root of [...definitions.map(({ value }) => value), result])
    for (const node of walk(root))
      if (node.kind === 'call' && node.name === 'delay' && !found.some(({ to }) => node.from < to && node.from >= 0))
        found.push(node);
  return found;
}
