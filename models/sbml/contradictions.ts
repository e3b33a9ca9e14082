/**
 * What SBML forbids to be said twice, or otherwise than elsewhere: of two statements one would be dropped in silence, and the
 * numbers would be those of another model. After the rules of validation 10301, 10304 to 10306, 20609, 20610, 20902 to 20904, 20906,
 * 21211 and their like in SBML Level 3.
 */
import type { Expression } from '../formula/syntax.ts';
import { symbolsIn } from './linear.ts';
import type { SbmlModel } from './model.ts';
import { refuse } from './refusal.ts';
import { number, rewrite } from './syntax.ts';

/** Throws `SbmlRefusal` that names the element. */
export function demandOneMeaning(model: SbmlModel): void {
  const kinds = oneOfEachId(model);
  const ruled = new Map<string, string>();
  for (const { kind, variable } of model.rules) {
    const other = ruled.get(variable);
    if (other !== undefined)
      refuse(`"${variable}" has ${article(other)} ${other} rule and ${article(kind)} ${kind} rule`);
    ruled.set(variable, kind);
    if (isConstant(kinds.get(variable))) refuse(`the ${kind} rule of "${variable}" changes it, and it is constant`);
  }
  const assigned = new Set<string>();
  for (const { variable } of model.initialAssignments) {
    if (assigned.has(variable)) refuse(`"${variable}" has two initial assignments`);
    if (ruled.get(variable) === 'assignment')
      refuse(`"${variable}" has an initial assignment and an assignment rule, which holds from the start`);
    assigned.add(variable);
  }
  for (const { id, assignments } of model.events) {
    const set = new Set<string>();
    for (const { variable } of assignments) {
      if (set.has(variable)) refuse(`the event "${id}" sets "${variable}" twice`);
      if (ruled.get(variable) === 'assignment')
        refuse(`the event "${id}" sets "${variable}", which has an assignment rule`);
      if (isConstant(kinds.get(variable))) refuse(`the event "${id}" sets "${variable}", which is constant`);
      set.add(variable);
    }
  }
  for (const { id, references } of model.reactions)
    for (const { species } of references) {
      const kind = kinds.get(species);
      if (kind?.what !== 'a species' || kind.boundary) continue;
      if (kind.constant)
        refuse(`the reaction "${id}" changes "${species}", which is constant and no boundary condition`);
      if (ruled.has(species))
        refuse(
          `the reaction "${id}" changes "${species}", which has ${article(ruled.get(species)!)} ${ruled.get(species)!} rule`,
        );
    }
  refuseCircles(model);
  for (const { id, amount, concentration } of model.species)
    if (amount !== undefined && concentration !== undefined)
      refuse(`the species "${id}" says an initial amount and an initial concentration`);
}

/**
 * What is always so says in a circle what it is. What a `delay()` looks back at is another time's. After validation rule 20906.
 */
function refuseCircles({ rules, reactions, initialAssignments }: SbmlModel): void {
  const always = new Map<string, Expression>([
    ...rules.flatMap(({ kind, variable, math }) => (kind === 'assignment' ? [[variable, math] as const] : [])),
    ...reactions.flatMap(({ id, rate }) => (rate ? [[id, rate] as const] : [])),
  ]);
  refuseCircle('its rules depend', always);
  const atStart = initialAssignments.map(({ variable, math }) => [variable, math] as const);
  refuseCircle('its initial assignments and rules depend', new Map([...always, ...atStart]));
}

function refuseCircle(what: string, behind: ReadonlyMap<string, Expression>): void {
  const settled = new Set<string>();
  const follow = (id: string, path: readonly string[]): void => {
    const math = behind.get(id);
    if (!math || settled.has(id)) return;
    if (path.includes(id)) {
      const circle = [...path.slice(path.indexOf(id)), id].map((each) => `"${each}"`).join(' → ');
      refuse(`${what} on one another in a circle: ${circle} (an algebraic rule is solved for what it determines)`);
    }
    for (const each of symbolsIn(atThisTime(math))) follow(each, [...path, id]);
    settled.add(id);
  };
  for (const id of behind.keys()) follow(id, []);
}

const atThisTime = (math: Expression): Expression =>
  rewrite(math, (node) => (node.kind === 'call' && node.name === 'delay' ? number(0) : node));

interface Kind {
  readonly what: string;
  readonly constant: boolean;
  readonly boundary: boolean;
}

const isConstant = (kind: Kind | undefined): boolean => kind?.constant === true;

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a');

/** Whatever mathematics can name has an id of its own. Level 1 knows no constants. */
function oneOfEachId({ level, ...model }: SbmlModel): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  const add = (id: string | undefined, what: string, constant = false, boundary = false): void => {
    if (id === undefined) return;
    const other = kinds.get(id);
    if (other?.what === what) refuse(`two elements have the id "${id}", and each is ${what}`);
    if (other) refuse(`two elements have the id "${id}": ${other.what} and ${what}`);
    kinds.set(id, { what, constant: constant && level > 1, boundary });
  };
  for (const id of model.functions.keys()) add(id, 'a function');
  for (const { id, constant } of model.compartments) add(id, 'a compartment', constant);
  for (const { id, constant, boundary } of model.species) add(id, 'a species', constant, boundary);
  for (const { id, constant } of model.parameters) add(id, 'a parameter', constant);
  for (const { id, references, parameters } of model.reactions) {
    add(id, 'a reaction');
    const own = parameters.map((each) => each.id);
    const twice = own.find((each, i) => own.indexOf(each) < i);
    if (twice !== undefined) refuse(`the reaction "${id}" has two parameters "${twice.slice(id.length + 1)}"`);
    for (const reference of references) add(reference.id, 'a reference to a species', reference.constant);
  }
  return kinds;
}
