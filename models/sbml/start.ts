/** What symbols are at the start of a solution. */
import { fromNumber, type DocumentNumber } from '../notation/numbers.ts';
import { printExpression } from '../formula/print.ts';
import type { Expression } from '../formula/syntax.ts';
import type { Along } from './along.ts';
import type { BlockJson } from './blocks.ts';
import type { Names } from './names.ts';
import { refuse } from './refusal.ts';
import { binary, name, number, over, times } from './syntax.ts';
import type { Place } from './translate.ts';

/** Rules that lead to one another before a start is found. */
const mostNested = 200;

/** What a solution begins with in place of what the file says; `own` is that. */
export interface Beginnings {
  /** In the units of the symbol. */
  readonly values: ReadonlyMap<string, (own: () => Expression) => Expression>;
  /** Amounts of species that are kept by them. */
  readonly amounts: ReadonlyMap<string, (own: () => Expression) => Expression>;
}

export class Start implements Place {
  /** Blocks that a start needed: `S_0`. */
  readonly blocks: BlockJson[] = [];
  private readonly known = new Map<string, string>();
  private readonly along: Along;
  private readonly names: Names;
  private readonly beginnings: Beginnings | undefined;
  private depth = 0;
  /** Of what is asked for: 0, or before it. */
  private moment: Expression = number(0);

  constructor(along: Along, names: Names, beginnings?: Beginnings) {
    [this.along, this.names, this.beginnings] = [along, names, beginnings];
  }

  time(): Expression {
    return this.moment;
  }

  /** Nothing has changed before the start, but for what an initial assignment says of other times. */
  delayed(of: Expression, lag: Expression, place: Place = this): Expression {
    const before = this.along.translate.number(lag, place);
    if ((numberIn(before) ?? 0) < 0) refuse('a delay() looks ahead');
    return this.at(binary('-', this.moment, before), () => this.along.translate.number(of, place));
  }

  /** What a state was before the start, where its initial assignment says more than where it begins. */
  history(id: string): Expression | undefined {
    const { symbols, amounts } = this.along;
    const compartment = symbols.species.get(id)?.compartment ?? '';
    if (!symbols.moving.has(id)) return undefined;
    return this.at(name('time'), () =>
      amounts.has(id) ? times(this.symbol(id), this.symbol(compartment)) : this.symbol(id),
    );
  }

  private at<T>(moment: Expression, find: () => T): T {
    const before = this.moment;
    this.moment = moment;
    const found = find();
    this.moment = before;
    return found;
  }

  symbol(id: string): Expression {
    const { symbols, ids } = this.along;
    const role = symbols.role(id);
    const own = ids.get(id);
    if (role === undefined || own === undefined) return refuse(`"${id}" is used, and the model does not have it`);
    if (role === 'constant' && !this.along.amounts.has(id)) return name(own);
    const isNow = this.moment.kind === 'number' && this.moment.value === 0;
    const moved = !isNow && symbols.moving.has(id) ? symbols.starts.get(id) : undefined;
    const rule = moved ?? symbols.assignments.get(id);
    const reaction = this.along.model.reactions.find((each) => each.id === id);
    if (!rule && !reaction) return name(this.at(number(0), () => this.blockOf(id, own)));
    if (++this.depth > mostNested) return refuse(`the rule of "${id}" depends on itself`);
    const found = rule ? this.number(rule) : this.reactionRate(id);
    this.depth--;
    return found;
  }

  private reactionRate(id: string): Expression {
    const reaction = this.along.model.reactions.find((each) => each.id === id);
    if (!reaction?.rate) return refuse(`the reaction "${id}" has no rate`);
    const local = new Set(reaction.parameters.map((parameter) => parameter.id));
    const inside: Place = {
      symbol: (each) => this.symbol(local.has(`${id}.${each}`) ? `${id}.${each}` : each),
      time: () => this.time(),
      rateOf: (each) => (local.has(`${id}.${each}`) ? number(0) : this.rateOf(each)),
      delayed: (of, lag) => this.delayed(of, lag, inside),
    };
    return this.along.translate.number(reaction.rate, inside);
  }

  rateOf(id: string): Expression {
    if (++this.depth > mostNested) return refuse(`the rate of "${id}" depends on itself`);
    const found = this.along.rateOf(id, this);
    this.depth--;
    return found;
  }

  number(math: Expression): Expression {
    return this.along.translate.number(math, this);
  }

  /** In the units of its symbol. */
  value(id: string): Expression {
    const own = (): Expression => this.ownValue(id);
    return this.beginnings?.values.get(id)?.(own) ?? own();
  }

  /** What the file says. */
  ownValue(id: string): Expression {
    const { symbols, model } = this.along;
    const given = symbols.starts.get(id);
    if (given) return this.number(given);
    const species = symbols.species.get(id);
    if (species) {
      const { amount, concentration, compartment } = species;
      if (symbols.isAmount(species))
        return amount !== undefined || concentration === undefined
          ? number(amount ?? NaN)
          : times(number(concentration), this.symbol(compartment));
      return concentration !== undefined || amount === undefined
        ? number(concentration ?? NaN)
        : over(number(amount), this.size(compartment));
    }
    const compartment = model.compartments.find((each) => each.id === id);
    if (compartment) return number(compartment.size ?? NaN);
    for (const { references, parameters } of model.reactions) {
      const local = parameters.find((each) => each.id === id);
      if (local) return number(local.value ?? NaN);
      const reference = references.find((each) => each.id === id);
      if (typeof reference?.stoichiometry === 'number') return number(reference.stoichiometry);
      if (reference?.stoichiometry) return this.number(reference.stoichiometry);
    }
    return number(model.parameters.find((each) => each.id === id)?.value ?? NaN);
  }

  /** A compartment of size 1 is left out: what is divided by it stays a number. */
  private size(compartment: string): Expression {
    const { symbols, model } = this.along;
    const plain = symbols.role(compartment) === 'constant' && !symbols.starts.has(compartment);
    const size = model.compartments.find(({ id }) => id === compartment)?.size;
    return plain && size === 1 ? number(1) : this.symbol(compartment);
  }

  /** Of a species that is kept by its amount. */
  amount(id: string): Expression {
    const own = (): Expression => this.ownAmount(id);
    return this.beginnings?.amounts.get(id)?.(own) ?? own();
  }

  private ownAmount(id: string): Expression {
    const species = this.along.symbols.species.get(id);
    if (species?.amount !== undefined && !this.along.symbols.starts.has(id)) return number(species.amount);
    return times(this.value(id), this.symbol(species?.compartment ?? ''));
  }

  /** What a state's `initial` says: a number, or the block that gives it. */
  initial(id: string, value: Expression): DocumentNumber | string {
    const known = this.along.amounts.has(id) ? undefined : this.known.get(id);
    const constant = numberIn(value);
    if (known !== undefined) return known;
    if (constant !== undefined) return fromNumber(constant);
    if (value.kind === 'name') return value.name;
    const block = this.names.fresh(`${this.along.amounts.get(id) ?? this.along.ids.get(id) ?? id}_0`);
    this.blocks.push(this.written(id, block, value));
    return block;
  }

  private blockOf(id: string, own: string): string {
    const known = this.known.get(id);
    if (known !== undefined) return known;
    // Known before its value is made: one that needs itself is found by the model's own check.
    const block = this.names.fresh(`${own}_0`);
    this.known.set(id, block);
    this.blocks.push(this.written(id, block, this.value(id)));
    return block;
  }

  private written(id: string, block: string, value: Expression): BlockJson {
    const label = `${id} at the start`;
    const constant = numberIn(value);
    if (constant !== undefined)
      return { id: block, kind: 'parameter', label, initial: fromNumber(constant), fixed: true };
    return { id: block, kind: 'map', label, formula: printExpression(value) };
  }
}

/** The number that an expression is, if it is one. */
export function numberIn(value: Expression): number | undefined {
  if (value.kind === 'number') return value.value;
  if (value.kind === 'name') return value.name === 'nan' ? NaN : value.name === 'inf' ? Infinity : undefined;
  if (value.kind !== 'unary' || value.operator !== '-') return undefined;
  const inner = numberIn(value.operand);
  return inner === undefined ? undefined : -inner;
}
