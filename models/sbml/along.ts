/** What symbols mean along a solution, and how fast they change. */
import { walk, type Expression } from '../formula/syntax.ts';
import type { Reaction, SbmlModel, Species, SpeciesReference } from './model.ts';
import type { Names } from './names.ts';
import { refuse } from './refusal.ts';
import type { Symbols } from './symbols.ts';
import { symbolsIn } from './linear.ts';
import { binary, fold, name, negate, number, over, times } from './syntax.ts';
import type { Place, Translator } from './translate.ts';

/** Ours for the ids of a file. Of a species kept by its amount there are two: its symbol's, and its amount's. */
export class Along implements Place {
  /** Whether a delay() was asked for. */
  looksBack = false;
  readonly ids = new Map<string, string>();
  readonly amounts = new Map<string, string>();
  readonly symbols: Symbols;
  readonly model: SbmlModel;
  readonly translate: Translator;

  constructor(model: SbmlModel, symbols: Symbols, translate: Translator, names: Names) {
    [this.model, this.symbols, this.translate] = [model, symbols, translate];
    for (const id of symbols.roles.keys()) if (!id.includes('.')) this.ids.set(id, names.fresh(id));
    for (const id of symbols.roles.keys()) if (id.includes('.')) this.ids.set(id, names.fresh(id));
    for (const [id, kept] of symbols.kept) if (kept === 'amount') this.amounts.set(id, names.fresh(`${id}_amount`));
  }

  /** The same with other names for some: in another solution of the same model. */
  renamed(ids: ReadonlyMap<string, string>): Along {
    const copy = new Along(this.model, this.symbols, this.translate, { fresh: (wanted) => wanted });
    for (const [id, own] of this.ids) copy.ids.set(id, ids.get(id) ?? own);
    for (const [id, own] of this.amounts) copy.amounts.set(id, own);
    return copy;
  }

  symbol(id: string): Expression {
    const found = this.ids.get(id);
    return found === undefined ? refuse(`"${id}" is used, and the model does not have it`) : name(found);
  }

  time(): Expression {
    return name('time');
  }

  /**
   * Before the start a symbol is what its initial assignment says of that time, or what it begins as. Where that cannot be
   * said of it, a delay() is refused, and so is one whose lag changes.
   */
  delays(of: Expression, lag: Expression, own = (id: string): string => id): void {
    const { symbols } = this;
    this.looksBack = true;
    for (const id of symbolsIn(lag))
      if (symbols.role(own(id)) !== 'constant') refuse(`the lag of a delay() depends on "${id}", which changes`);
    if ([...walk(lag)].some((node) => node.kind === 'name' && node.name === 'time'))
      refuse('the lag of a delay() depends on the time');
    for (const id of this.madeOf(of, own))
      if (this.movesBefore(id) && (symbols.role(id) !== 'state' || this.amounts.has(id)))
        refuse(`delay() is asked for "${id}", whose initial assignment changes with the time`);
  }

  /** What a state was before the start, where its initial assignment says more than where it begins. */
  history(id: string): Expression | undefined {
    const given = this.symbols.starts.get(id);
    if (!given || !this.movesBefore(id)) return undefined;
    for (const each of this.madeOf(given))
      if (this.symbols.role(each) !== 'constant' || this.movesBefore(each))
        refuse(`delay() is asked for in a model where "${id}" begins with "${each}", and both change before the start`);
    return this.number(given);
  }

  /** The symbols of an expression, and of rules and rates that stand behind them. */
  private madeOf(of: Expression, own = (id: string): string => id, found = new Set<string>()): Set<string> {
    for (const each of symbolsIn(this.translate.expanded(of))) {
      const id = own(each);
      if (found.has(id)) continue;
      found.add(id);
      const rule = this.symbols.assignments.get(id);
      if (rule) this.madeOf(rule, undefined, found);
      const reaction = this.model.reactions.find((one) => one.id === id);
      const locals = new Set(reaction?.parameters.map((parameter) => parameter.id));
      if (reaction?.rate) this.madeOf(reaction.rate, (inner) => (locals.has(inner) ? `${id}.${inner}` : inner), found);
    }
    return found;
  }

  /** Whether its initial assignment is another at another time. */
  private movesBefore(id: string, path: readonly string[] = []): boolean {
    const given = this.symbols.starts.get(id);
    if (!given || path.includes(id)) return false;
    const whole = this.translate.expanded(given);
    const ofTime = (expression: Expression): boolean =>
      [...walk(expression)].some((node) => node.kind === 'name' && node.name === 'time');
    if (ofTime(whole)) return true;
    return [...this.madeOf(whole)].some((each) => {
      const rule = this.symbols.assignments.get(each);
      return (rule && ofTime(this.translate.expanded(rule))) || this.movesBefore(each, [...path, id]);
    });
  }

  number(math: Expression): Expression {
    return this.translate.number(math, this);
  }

  /** The mathematics of a reaction's rate with its own parameters marked as such. */
  rateOfReaction({ id, rate, parameters }: Reaction): Expression {
    const local = new Set(parameters.map((parameter) => parameter.id));
    const inside: Place = {
      symbol: (each) => this.symbol(local.has(`${id}.${each}`) ? `${id}.${each}` : each),
      time: () => this.time(),
      rateOf: (each) => (local.has(`${id}.${each}`) ? number(0) : this.rateOf(each)),
      delays: (of, lag) => {
        const own = (each: string): string => (local.has(`${id}.${each}`) ? `${id}.${each}` : each);
        this.delays(of, lag, own);
      },
    };
    if (!rate) return refuse(`the reaction "${id}" has no rate`);
    return this.translate.number(rate, inside);
  }

  /** How much of a species a unit of a reaction makes, in our names; negative where it uses it up. */
  stoichiometry({ id, stoichiometry, species, side }: SpeciesReference, at: Place = this): Expression {
    const amount =
      id !== undefined
        ? at.symbol(id)
        : typeof stoichiometry === 'number'
          ? number(stoichiometry)
          : stoichiometry
            ? this.translate.number(stoichiometry, at)
            : refuse(`a stoichiometry of "${species}" is not said`);
    return side < 0 ? negate(amount) : amount;
  }

  /** Of a species that reactions change: Σ stoichiometry·rate of those that `counts` picks, in amounts. */
  made(
    species: Species,
    counts: (reference: SpeciesReference) => boolean = () => true,
    at: Place = this,
  ): Expression | undefined {
    const terms = this.model.reactions.flatMap((reaction) =>
      reaction.references
        .filter((reference) => reference.species === species.id && counts(reference))
        .map((reference) => {
          const amount = this.stoichiometry(reference, at);
          const rate = at.symbol(reaction.id);
          if (amount.kind === 'unary') return negate(times(amount.operand, rate));
          return times(amount, rate);
        }),
    );
    if (terms.length === 0) return undefined;
    return terms.reduce((sum, term) =>
      term.kind === 'unary' ? binary('-', sum, term.operand) : binary('+', sum, term),
    );
  }

  /** What the change of a species by reactions is divided by: its compartment over its conversion factor. */
  per(species: Species, at: Place = this): Expression | undefined {
    const factor = species.conversionFactor ?? this.model.conversionFactor;
    const whole =
      this.symbols.isAmount(species) || this.amounts.has(species.id) ? number(1) : at.symbol(species.compartment);
    if (factor !== undefined) return over(whole, at.symbol(factor));
    return whole.kind === 'number' ? undefined : whole;
  }

  rateOf(id: string, at: Place = this): Expression {
    const role = this.symbols.role(id);
    if (role === undefined) return refuse(`rateOf is asked of "${id}", which the model does not have`);
    if (role === 'constant' && !this.amounts.has(id)) return number(0);
    const rule = this.symbols.rates.get(id);
    if (rule) return this.translate.number(rule, at);
    const species = this.symbols.species.get(id);
    if (role === 'formula') return refuse(`rateOf is asked of "${id}", which has a rule of its own`);
    if (!species) return number(0);
    const made = this.symbols.reacts(species) ? this.made(species, undefined, at) : undefined;
    const per = this.per(species, at);
    const change = made ? (per ? over(made, per) : made) : number(0);
    if (!this.amounts.has(id)) return change;
    // (n/V)′ = (n′ − c·V′)/V
    const volume = at.symbol(species.compartment);
    const spread = times(at.symbol(id), this.rateOf(species.compartment, at));
    return over(fold('-', [change, spread], number(0)), volume);
  }
}
