/**
 * Algebraic rules, 0 = F(x, …), as assignment rules: each determines one of the symbols that nothing else does, and is
 * solved for it where it is linear in it, several by elimination.
 */
import type { Expression } from '../formula/syntax.ts';
import { solvedFor, symbolsIn } from './linear.ts';
import type { Rule, SbmlModel } from './model.ts';
import { refuse } from './refusal.ts';
import { rateSymbolOf, rewrite, symbolOf } from './syntax.ts';
import { translator } from './translate.ts';

/** Throws `SbmlRefusal` where they do not determine as many symbols as there are rules, or not linearly. */
export function withoutAlgebraic(model: SbmlModel): SbmlModel {
  if (model.algebraic.length === 0) return model;
  const open = undetermined(model);
  const assigned = new Map(
    model.rules.flatMap(({ kind, variable, math }) => (kind === 'assignment' ? [[variable, math]] : [])),
  );
  const { expanded } = translator(model.functions);
  let equations = model.algebraic.map((math) => written(expanded(math), model, open, assigned));
  const wanted = [...new Set(equations.flatMap((each) => [...symbolsIn(each)]))].filter((id) => open.has(id));
  const names = wanted.length === 0 ? 'no symbol' : wanted.map((id) => `"${id}"`).join(', ');
  if (wanted.length !== equations.length)
    refuse(
      `algebraic rules leave ${names} open: as many as there are rules, ${equations.length}, must be what no other rule, reaction or event sets`,
    );
  refuseSizes(model, wanted, equations);
  const rules: Rule[] = [];
  while (equations.length > 0) {
    const { variable, math, rest } = eliminated(equations, open);
    rules.push({ kind: 'assignment', variable, math });
    equations = rest;
  }
  return { ...model, rules: [...model.rules, ...rules], algebraic: [] };
}

/** Symbols that may change, and that no rule, reaction or event changes. */
function undetermined({ parameters, compartments, species, reactions, rules, events }: SbmlModel): Set<string> {
  const references = reactions.flatMap((reaction) => reaction.references);
  const changed = new Set(references.map(({ species }) => species));
  const set = new Set([
    ...rules.map(({ variable }) => variable),
    ...events.flatMap(({ assignments }) => assignments.map(({ variable }) => variable)),
  ]);
  const free = [
    ...[...parameters, ...compartments].filter(({ constant }) => !constant),
    ...references.flatMap(({ id, constant }) => (id === undefined || constant ? [] : [{ id }])),
    ...species.filter(({ id, constant, boundary }) => !constant && (boundary || !changed.has(id))),
  ];
  return new Set(free.map(({ id }) => id).filter((id) => !set.has(id)));
}

/** With what open symbols reach by assignment rules written out, so that nothing of them is hidden. */
function written(
  math: Expression,
  model: SbmlModel,
  open: ReadonlySet<string>,
  assigned: ReadonlyMap<string, Expression>,
): Expression {
  const { expanded } = translator(model.functions);
  const within = (id: string, path: readonly string[]): Expression | undefined => {
    const rule = assigned.get(id);
    if (!rule || path.includes(id)) return undefined;
    const inner = putIn(expanded(rule), [...path, id]);
    return [...symbolsIn(inner)].some((each) => open.has(each)) ? inner : undefined;
  };
  const rateOf = new Map(model.reactions.map(({ id, rate }) => [id, rate]));
  const reaches = (math: Expression | undefined, path: readonly string[]): boolean =>
    math !== undefined && [...symbolsIn(putIn(expanded(math), path))].some((id) => open.has(id));
  const putIn = (expression: Expression, path: readonly string[]): Expression =>
    rewrite(expression, (node) => {
      if (rateSymbolOf(node) !== undefined) return refuse('an algebraic rule asks for rateOf, and is not solved');
      const id = symbolOf(node);
      // A rate that what is open does not reach stays by its name.
      if (id !== undefined && !path.includes(id) && reaches(rateOf.get(id), [...path, id]))
        return refuse(`an algebraic rule uses the rate of the reaction "${id}", which hangs on what it determines`);
      return (id === undefined ? undefined : within(id, path)) ?? node;
    });
  return putIn(math, []);
}

/** The concentration of a species hangs on its compartment, which an equation does not show. */
function refuseSizes({ species }: SbmlModel, wanted: readonly string[], equations: readonly Expression[]): void {
  const used = new Set(equations.flatMap((each) => [...symbolsIn(each)]));
  for (const { id, compartment, isAmount } of species)
    if (!isAmount && wanted.includes(compartment) && used.has(id))
      refuse(`algebraic rules determine the compartment "${compartment}" and use the concentration "${id}" in it`);
}

/** One equation solved for one of its symbols, and the others with that put in. */
function eliminated(
  equations: readonly Expression[],
  open: ReadonlySet<string>,
): { readonly variable: string; readonly math: Expression; readonly rest: Expression[] } {
  const ways = equations.flatMap((equation) =>
    [...symbolsIn(equation)]
      .filter((id) => open.has(id))
      .flatMap((variable) => {
        const found = solvedFor(variable, equation);
        return found ? [{ equation, variable, ...found }] : [];
      }),
  );
  const way = ways.find(({ isCertain }) => isCertain) ?? ways[0];
  if (!way)
    return refuse('an algebraic rule is linear in none of the symbols that it may determine, and is not solved');
  const { equation, variable, value } = way;
  const rest = equations
    .filter((each) => each !== equation)
    .map((each) => rewrite(each, (node) => (symbolOf(node) === variable ? value : node)));
  return { variable, math: value, rest };
}
