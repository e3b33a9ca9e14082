/**
 * What each symbol of a file is along a solution: a constant, a state, or a formula of others.
 *
 * A species that reactions change is a state: its concentration where its compartment stays as it is (the change is
 * *per* the compartment), else its amount, and its concentration is a formula then. A species whose symbol means its
 * amount is its amount.
 */
import { walk, type Expression } from '../formula/syntax.ts';
import { symbolsIn } from './linear.ts';
import type { SbmlModel, Species } from './model.ts';
import { refuse } from './refusal.ts';
import { usesTime } from './syntax.ts';
import { translator } from './translate.ts';

export type Role = 'constant' | 'state' | 'formula';

/** How a species is kept, where it is not by its symbol: its amount as a state or constant of its own. */
export type Kept = 'symbol' | 'amount';

export class Symbols {
  readonly roles = new Map<string, Role>();
  readonly kept = new Map<string, Kept>();
  readonly species: ReadonlyMap<string, Species>;
  readonly assignments: ReadonlyMap<string, Expression>;
  readonly rates: ReadonlyMap<string, Expression>;
  readonly starts: ReadonlyMap<string, Expression>;
  /** What events set. */
  readonly set: ReadonlySet<string>;
  /** Whether a delay() is asked for anywhere. */
  readonly looksBack: boolean;
  /** Of a model that looks back: what its initial assignment makes another at another time. */
  readonly moving: ReadonlySet<string>;
  readonly model: SbmlModel;

  constructor(model: SbmlModel) {
    this.model = model;
    this.species = new Map(model.species.map((each) => [each.id, each]));
    const rules = (kind: 'assignment' | 'rate'): Map<string, Expression> =>
      new Map(model.rules.filter((rule) => rule.kind === kind).map(({ variable, math }) => [variable, math]));
    this.rates = rules('rate');
    this.starts = new Map(model.initialAssignments.map(({ variable, math }) => [variable, math]));
    this.set = new Set(model.events.flatMap(({ assignments }) => assignments.map(({ variable }) => variable)));
    const references = model.reactions.flatMap((reaction) => reaction.references);
    // What Level 2 gives as mathematics is, of a reference with an id, a rule.
    const given = references.flatMap(({ id, stoichiometry }) =>
      id !== undefined && typeof stoichiometry === 'object' ? [[id, stoichiometry] as const] : [],
    );
    this.assignments = new Map([...given, ...rules('assignment')]);
    this.looksBack = looksBack(model);
    this.moving = this.looksBack ? this.movingOnes() : new Set();
    const plain = [
      ...model.compartments.map(({ id }) => id),
      ...model.parameters.map(({ id }) => id),
      ...model.reactions.flatMap(({ parameters }) => parameters.map(({ id }) => id)),
      ...references.flatMap(({ id }) => (id === undefined ? [] : [id])),
    ];
    for (const id of plain) this.roles.set(id, this.plainRole(id));
    for (const { id } of model.reactions) this.roles.set(id, 'formula');
    const changed = new Set(references.map(({ species }) => species));
    for (const each of model.species) this.classify(each, changed.has(each.id));
    for (const id of [...this.assignments.keys(), ...this.rates.keys(), ...this.starts.keys(), ...this.set])
      if (!this.roles.has(id)) refuse(`something is set for "${id}", which the model does not have`);
    for (const { species } of references)
      if (!this.species.has(species)) refuse(`a reaction has the species "${species}", which the model does not have`);
  }

  role(id: string): Role | undefined {
    return this.roles.get(id);
  }

  /** Whether reactions change it. */
  reacts({ id, boundary, constant }: Species): boolean {
    return !boundary && !constant && !this.assignments.has(id) && !this.rates.has(id);
  }

  /** Whether its symbol means an amount: in a compartment without extent there is nothing else. */
  isAmount({ isAmount, compartment }: Species): boolean {
    return isAmount || this.model.compartments.find(({ id }) => id === compartment)?.dimensions === 0;
  }

  /** Of a compartment whose size is not said amounts alone are known. */
  private hasNoSize(compartment: string): boolean {
    const size = this.model.compartments.find(({ id }) => id === compartment)?.size;
    return (size === undefined || Number.isNaN(size)) && !this.starts.has(compartment);
  }

  private beginsAsAmount({ id, amount, concentration }: Species): boolean {
    return amount !== undefined && concentration === undefined && !this.starts.has(id);
  }

  private plainRole(id: string): Role {
    if (this.assignments.has(id)) return 'formula';
    // What a delay() may see move before the start is a state that stays from then on.
    return this.rates.has(id) || this.set.has(id) || this.moving.has(id) ? 'state' : 'constant';
  }

  private movingOnes(): Set<string> {
    const { expanded } = translator(this.model.functions);
    const rateOf = new Map(this.model.reactions.map(({ id, rate }) => [id, rate]));
    const moves = (math: Expression, path: readonly string[]): boolean => {
      const whole = expanded(math);
      if (usesTime(whole)) return true;
      return [...symbolsIn(whole)].some((id) => {
        const behind = this.starts.get(id) ?? this.assignments.get(id) ?? rateOf.get(id);
        return behind !== undefined && !path.includes(id) && moves(behind, [...path, id]);
      });
    };
    return new Set([...this.starts].filter(([id, math]) => moves(math, [id])).map(([id]) => id));
  }

  private classify(species: Species, inReactions: boolean): void {
    const { id, compartment } = species;
    if (!this.roles.has(compartment))
      refuse(`the species "${id}" is in "${compartment}", which the model does not have`);
    const plain = this.plainRole(id);
    const changed = plain === 'constant' && inReactions && this.reacts(species) ? 'state' : plain;
    const followsAmount =
      !this.isAmount(species) &&
      (this.roles.get(compartment) !== 'constant' || (this.beginsAsAmount(species) && this.hasNoSize(compartment))) &&
      !this.assignments.has(id) &&
      !this.rates.has(id);
    this.kept.set(id, followsAmount ? 'amount' : 'symbol');
    this.roles.set(id, changed);
  }
}

function looksBack({ functions, initialAssignments, rules, reactions, events }: SbmlModel): boolean {
  const maybe = (math: Expression | undefined): Expression[] => (math ? [math] : []);
  return [
    ...[...functions.values()].map(({ body }) => body),
    ...[...initialAssignments, ...rules].map(({ math }) => math),
    ...reactions.flatMap(({ rate }) => maybe(rate)),
    ...events.flatMap(({ trigger, delay, priority, assignments }) => [
      ...[trigger, ...maybe(delay), ...maybe(priority)],
      ...assignments.map(({ math }) => math),
    ]),
  ].some((math) => [...walk(math)].some((node) => node.kind === 'call' && node.name === 'delay'));
}
