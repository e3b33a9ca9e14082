/**
 * Fast reactions, which are at equilibrium at every time, whatever the others do. With z what the others alone make of the
 * species, and ξⱼ how far the fast reaction j has run,
 *
 *   x = z + ν·ξ,   vⱼ(x) = 0,   of whose solutions the one that j runs to: ∂vⱼ/∂ξⱼ < 0
 *
 * Each vⱼ is solved for its ξⱼ where it is of degree 1 or 2 in it: A <-> B, A + B <-> C. Where it runs to no equilibrium,
 * ξⱼ is NaN.
 */
import { walk, type Expression } from '../formula/syntax.ts';
import { symbolsIn } from './linear.ts';
import type { Parameter, Reaction, Rule, SbmlModel, Species, SpeciesReference } from './model.ts';
import { polynomialIn, type Polynomial } from './polynomial.ts';
import { refuse } from './refusal.ts';
import { binary, call, choose, name, negate, number, over, rewrite, symbol, symbolOf, times } from './syntax.ts';
import { translator } from './translate.ts';

const slowOf = (species: string): string => `${species}.slow`;
const extentOf = (reaction: string): string => `${reaction}.extent`;

/** Throws `SbmlRefusal`. */
export function withoutFast(model: SbmlModel): SbmlModel {
  const fast = model.reactions.filter((reaction) => reaction.fast);
  if (fast.length === 0) return model;
  const moved = movedBy(fast, model);
  refuseChanging(model, fast, moved);
  const positions = moved.map((species): Rule => position(model, fast, species));
  const solved = equilibria(model, fast, new Map(positions.map(({ variable, math }) => [variable, math])));
  const ids = new Set(moved.map(({ id }) => id));
  const slow = (id: string): string => (ids.has(id) ? slowOf(id) : id);
  const reactions = model.reactions.map((reaction): Reaction => {
    if (reaction.fast) return { ...reaction, references: [] };
    return { ...reaction, references: reaction.references.map((each) => ({ ...each, species: slow(each.species) })) };
  });
  const touched = new Set(reactions.flatMap(({ references }) => references.map(({ species }) => species)));
  return {
    ...model,
    species: [
      ...model.species,
      // What no reaction touches any more is no unknown of an algebraic rule.
      ...moved.map((each) => ({ ...each, id: slowOf(each.id), constant: !touched.has(slowOf(each.id)) })),
    ],
    parameters: [
      ...model.parameters,
      ...fast.flatMap(({ references }) => references.flatMap(stoichiometricParameter)),
      ...solved.map(({ variable }) => plainParameter(variable, undefined, false)),
    ],
    // At the start it is what it is before anything has run.
    initialAssignments: model.initialAssignments.map(({ variable, math }) => ({
      variable: slow(variable),
      math: rewrite(math, (node) => {
        const id = symbolOf(node);
        return id !== undefined && ids.has(id) ? symbol(slowOf(id)) : node;
      }),
    })),
    rules: [...model.rules, ...positions, ...solved],
    reactions,
  };
}

/** The species that they change. */
function movedBy(fast: readonly Reaction[], { species, rules }: SbmlModel): Species[] {
  const used = new Set(fast.flatMap(({ references }) => references.map((reference) => reference.species)));
  const ruled = new Set(rules.map(({ variable }) => variable));
  return species.filter(({ id, boundary, constant }) => used.has(id) && !boundary && !constant && !ruled.has(id));
}

/** How far they have run says where they are only as long as nothing else that they hang on jumps or grows. */
function refuseChanging(model: SbmlModel, fast: readonly Reaction[], moved: readonly Species[]): void {
  const reaction = fast[0]?.id ?? '';
  const set = new Set(model.events.flatMap(({ assignments }) => assignments.map(({ variable }) => variable)));
  const changing = new Set([...set, ...model.rules.map(({ variable }) => variable)]);
  for (const { id, compartment } of moved) {
    if (set.has(id))
      refuse(`the reaction "${reaction}" is fast, and an event sets "${id}", which fast reactions change`);
    if (changing.has(compartment))
      refuse(
        `the reaction "${reaction}" is fast, and changes "${id}" in the compartment "${compartment}", which changes`,
      );
  }
  const constants = new Set([...model.parameters, ...model.compartments].map(({ id }) => id));
  for (const { id, references } of fast)
    for (const reference of references) {
      const given = typeof reference.stoichiometry === 'object' ? reference.stoichiometry : undefined;
      const fixed =
        !given ||
        ([...symbolsIn(given)].every((each) => constants.has(each) && !changing.has(each)) && !saysTime(given));
      if (!fixed || (reference.id !== undefined && changing.has(reference.id)))
        refuse(`the stoichiometry of "${reference.species}" in the fast reaction "${id}" changes`);
    }
  const { expanded } = translator(model.functions);
  const all = [
    ...model.rules.map(({ math }) => math),
    ...model.algebraic,
    ...model.reactions.flatMap(({ rate }) => (rate ? [rate] : [])),
    ...model.events.flatMap(({ trigger, delay, priority, assignments }) => [
      ...[trigger, delay, priority].filter((each) => each !== undefined),
      ...assignments.map(({ math }) => math),
    ]),
  ];
  if (all.some((math) => [...walk(expanded(math))].some((node) => node.kind === 'call' && node.name === 'delay')))
    refuse(`the reaction "${reaction}" is fast, and the model looks back by delay() to before it was at equilibrium`);
}

const saysTime = (math: Expression): boolean =>
  [...walk(math)].some((node) => node.kind === 'name' && node.name === 'time');

const plainParameter = (id: string, value: number | undefined, constant: boolean): Parameter => ({
  ...{ id, value, constant },
  name: undefined,
  units: undefined,
});

/** A stoichiometry with an id stays known by it. */
function stoichiometricParameter({ id, stoichiometry }: SpeciesReference): Parameter[] {
  if (id === undefined || typeof stoichiometry === 'object') return [];
  return [plainParameter(id, stoichiometry, true)];
}

/** x = z + Σ ν·ξ, in the units of its symbol. */
function position(model: SbmlModel, fast: readonly Reaction[], species: Species): Rule {
  const { id, size, dimensions } = model.compartments.find((each) => each.id === species.compartment) ?? {};
  const isPlain = size === 1 && !model.initialAssignments.some(({ variable }) => variable === id);
  const whole = species.isAmount || dimensions === 0 || isPlain ? number(1) : symbol(species.compartment);
  const factor = species.conversionFactor ?? model.conversionFactor;
  const math = fast.reduce(
    (sum, reaction) => {
      const extent = symbol(extentOf(reaction.id));
      return reaction.references
        .filter((reference) => reference.species === species.id)
        .reduce((all, reference) => {
          const amount = times(
            stoichiometry(reference, reaction),
            factor === undefined ? extent : times(symbol(factor), extent),
          );
          return binary(reference.side < 0 ? '-' : '+', all, over(amount, whole));
        }, sum);
    },
    symbol(slowOf(species.id)),
  );
  return { kind: 'assignment', variable: species.id, math };
}

function stoichiometry(reference: SpeciesReference, { id }: Reaction): Expression {
  if (typeof reference.stoichiometry === 'object') return reference.stoichiometry;
  if (reference.id !== undefined) return symbol(reference.id);
  return reference.stoichiometry === undefined
    ? refuse(`a stoichiometry of "${reference.species}" in "${id}" is not said`)
    : number(reference.stoichiometry);
}

interface Equation {
  readonly id: string;
  readonly rate: Expression;
}

/** Rules for every extent, and for the coefficients that they are made of. */
function equilibria(model: SbmlModel, fast: readonly Reaction[], positions: ReadonlyMap<string, Expression>): Rule[] {
  const extents = new Set(fast.map(({ id }) => extentOf(id)));
  let equations = fast.map((reaction): Equation => ({ id: reaction.id, rate: rateOf(reaction, model, positions) }));
  const rules: Rule[] = [];
  const openIn = ({ id, rate }: Equation): string[] =>
    [...symbolsIn(rate)].filter((each) => extents.has(each) && each !== extentOf(id));
  while (equations.length > 0) {
    // Alone in its equation it may be of degree 2; beside others, of degree 1 with a factor that these are not in.
    const next = equations.find((each) => openIn(each).length === 0) ?? equations[0];
    const { id, rate } = next!;
    const extent = extentOf(id);
    const polynomial = polynomialIn(extent, rate, openIn(next!).length === 0 ? 2 : 1);
    const inFactor = polynomial?.slice(1).some((each) => [...symbolsIn(each)].some((one) => extents.has(one)));
    if (!polynomial || polynomial.length < 2 || inFactor)
      return refuse(
        `the reaction "${id}" is fast, and where it comes to rest is no equation of degree 1 or 2 in how far it runs`,
      );
    rules.push(...solution(id, polynomial));
    const [rest, slope] = polynomial as [Expression, Expression];
    const value = polynomial.length === 2 ? negate(over(rest, slope)) : symbol(extent);
    extents.delete(extent);
    equations = equations
      .filter((each) => each !== next)
      .map((each) => ({
        ...each,
        rate: rewrite(each.rate, (node) => (symbolOf(node) === extent ? value : node)),
      }));
  }
  return rules;
}

/** The rate with species, and rules that they reach, written out. */
function rateOf(
  { id, rate, parameters }: Reaction,
  model: SbmlModel,
  positions: ReadonlyMap<string, Expression>,
): Expression {
  if (!rate) return refuse(`the reaction "${id}" has no rate`);
  const { expanded } = translator(model.functions);
  const assigned = new Map(
    model.rules.flatMap(({ kind, variable, math }) => (kind === 'assignment' ? [[variable, math]] : [])),
  );
  const own = new Map(parameters.map((parameter) => [parameter.id.slice(id.length + 1), parameter.id]));
  const reactions = new Set(model.reactions.map((reaction) => reaction.id));
  const put = (math: Expression, path: readonly string[], locals: ReadonlyMap<string, string>): Expression =>
    rewrite(expanded(math), (node) => {
      const each = symbolOf(node);
      if (each === undefined) return node;
      const local = locals.get(each);
      if (local !== undefined) return symbol(local);
      if (reactions.has(each)) return refuse(`the rate of the fast reaction "${id}" uses that of "${each}"`);
      const place = positions.get(each);
      if (place) return place;
      const rule = assigned.get(each);
      if (!rule || path.includes(each)) return node;
      const inner = put(rule, [...path, each], new Map());
      return [...symbolsIn(inner)].some((one) => one.endsWith('.extent')) ? inner : node;
    });
  return put(rate, [], own);
}

/** ξ with c + b·ξ + a·ξ² = 0 and b + 2a·ξ < 0; 0 where nothing moves it. */
function solution(id: string, polynomial: Polynomial): Rule[] {
  const rules: Rule[] = [];
  const [c, b, a] = polynomial.map((coefficient, power) => {
    if (coefficient.kind === 'number') return coefficient;
    const variable = `${id}.${['rate0', 'slope', 'square'][power]}`;
    rules.push({ kind: 'assignment', variable, math: coefficient });
    return symbol(variable);
  }) as [Expression, Expression, Expression | undefined];
  const zero = number(0);
  const still = binary('and', binary('==', b, zero), binary('==', c, zero));
  const falls = binary('<', b, zero);
  const root = call('sqrt', binary('-', binary('^', b, number(2)), times(number(4), times(a ?? zero, c))));
  const math = a
    ? choose(
        falls,
        over(times(number(2), c), binary('-', root, b)),
        choose(still, zero, over(binary('-', negate(b), root), times(number(2), a))),
      )
    : choose(falls, negate(over(c, b)), choose(still, zero, name('nan')));
  return [...rules, { kind: 'assignment', variable: extentOf(id), math }];
}
