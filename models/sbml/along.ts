/** What symbols mean along a solution, and how fast they change. */
import { isReservedName } from '../formula/names.ts';
import type { Expression } from '../formula/syntax.ts';
import type { Reaction, SbmlModel, Species, SpeciesReference } from './model.ts';
import type { Names } from './names.ts';
import { refuse } from './refusal.ts';
import type { Symbols } from './symbols.ts';
import { symbolsIn } from './linear.ts';
import { binary, fold, name, negate, number, over, times, usesTime } from './syntax.ts';
import type { Place, Translator } from './translate.ts';

/** Ours for the ids of a file. Of a species kept by its amount there are two: its symbol's, and its amount's. */
export class Along implements Place {
  readonly ids = new Map<string, string>();
  readonly amounts = new Map<string, string>();
  readonly symbols: Symbols;
  readonly model: SbmlModel;
  readonly translate: Translator;

  constructor(model: SbmlModel, symbols: Symbols, translate: Translator, names: Names) {
    [this.model, this.symbols, this.translate] = [model, symbols, translate];
    const plain = [...symbols.roles.keys()].filter((id) => !id.includes('.'));
    // What can keep its name first, that none of these is called as another is here: `e_` where there is an `e`.
    const renamed = (id: string): boolean => isReservedName(id) || id === 'time';
    for (const later of [false, true])
      for (const id of plain) if (renamed(id) === later) this.ids.set(id, names.fresh(id));
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

  /** It stays; one whose lag changes is refused. */
  delayed(_of: Expression, lag: Expression, own = (id: string): string => id): undefined {
    const { symbols } = this;
    const stays = (math: Expression, path: readonly string[], known: (id: string) => string): void => {
      if (usesTime(math)) refuse('the lag of a delay() depends on the time');
      for (const each of symbolsIn(math)) {
        const id = known(each);
        const rule = path.includes(id) ? undefined : symbols.assignments.get(id);
        if (rule) stays(this.translate.expanded(rule), [...path, id], (inner) => inner);
        else if (symbols.role(id) !== 'constant') refuse(`the lag of a delay() depends on "${each}", which changes`);
      }
    };
    stays(lag, [], own);
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
      delayed: (of, lag) => this.delayed(of, lag, (each) => (local.has(`${id}.${each}`) ? `${id}.${each}` : each)),
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
