/** From the text of an SBML file to what it says. Throws `SbmlRefusal` for what is not understood. */
import type { Expression } from '../formula/syntax.ts';
import { withoutAlgebraic } from './algebraic.ts';
import { flattened, sourcesIn, usesComp } from './comp/flatten.ts';
import { demandOneMeaning } from './contradictions.ts';
import { withoutFast } from './fast.ts';
import { readInfix } from './infix.ts';
import { readLambda, readMath, type Lambda } from './mathml.ts';
import type {
  Assignment,
  Compartment,
  Parameter,
  Reaction,
  Rule,
  SbmlEvent,
  SbmlModel,
  Species,
  SpeciesReference,
} from './model.ts';
import { refusePackages } from './packages.ts';
import { refuse, SbmlRefusal } from './refusal.ts';
import { number } from './syntax.ts';
import { readUnits } from './units.ts';
import { child, decimal, listed, parseXml, type XmlElement } from './xml.ts';

/** `others` are files that it names, by the paths that it names them by. */
export function readSbml(text: string, others: ReadonlyMap<string, string> = new Map()): SbmlModel {
  const given = parseXml(text);
  if (given.name !== 'sbml') refuse(`the file is no SBML: its first element is <${given.name}>`);
  const otherFile = (source: string): XmlElement => {
    const other = others.get(source);
    return other === undefined ? refuse(`the file "${source}", which it names, is not beside it`) : parseXml(other);
  };
  const { root, aliases } = usesComp(given)
    ? flattened(given, otherFile)
    : { root: given, aliases: new Map<string, string>() };
  const [level, version] = [Number(root.attributes.get('level')), Number(root.attributes.get('version'))];
  if (![1, 2, 3].includes(level)) refuse(`SBML Level ${root.attributes.get('level')} is not known`);
  refusePackages(root);
  const model = child(root, 'model');
  if (!model) return refuse('the file holds no model');
  const read = { ...new Reader(level, version, model).model(), aliases };
  demandOneMeaning(read);
  return withoutAlgebraic(withoutFast(read));
}

/** The paths of the files that the text of one names; none of what is no SBML. */
export const sourcesOf = (text: string): string[] => {
  try {
    return sourcesIn(parseXml(text));
  } catch (error) {
    if (error instanceof SbmlRefusal) return [];
    throw error;
  }
};

/** Of a model; of those that are of no consequence for its numbers too. */
const parts: ReadonlySet<string> = new Set([
  ...['notes', 'annotation', 'listOfFunctionDefinitions', 'listOfUnitDefinitions', 'listOfCompartmentTypes'],
  ...['listOfSpeciesTypes', 'listOfCompartments', 'listOfSpecies', 'listOfParameters', 'listOfInitialAssignments'],
  ...['listOfRules', 'listOfConstraints', 'listOfReactions', 'listOfEvents'],
]);

/** Of two of one kind one would be dropped. */
function demandOnce({ children, namespace }: XmlElement, what: string): void {
  const known = new Set<string>();
  for (const each of children) {
    if (each.namespace !== namespace) continue;
    if (known.has(each.name)) refuse(`${what} has two <${each.name}>`);
    known.add(each.name);
  }
}

class Reader {
  private readonly level: number;
  private readonly version: number;
  private readonly root: XmlElement;
  private readonly warnings: string[] = [];

  constructor(level: number, version: number, root: XmlElement) {
    this.level = level;
    this.version = version;
    this.root = root;
  }

  model(): SbmlModel {
    const { root, level, version, warnings } = this;
    for (const { name, namespace } of root.children)
      if (namespace === root.namespace && !parts.has(name)) refuse(`<${name}> is no part of an SBML model`);
    demandOnce(root, 'the model');
    if (listed(root, 'listOfConstraints').length > 0)
      warnings.push('its constraints are left out: they are not watched');
    return {
      level,
      version,
      id: this.idOf(root),
      name: root.attributes.get('name'),
      conversionFactor: root.attributes.get('conversionFactor'),
      units: readUnits(root),
      functions: this.functions(),
      compartments: listed(root, 'listOfCompartments').map((each) => this.compartment(each)),
      species: listed(root, 'listOfSpecies').map((each) => this.species(each)),
      parameters: listed(root, 'listOfParameters').map((each) => this.parameter(each)),
      initialAssignments: listed(root, 'listOfInitialAssignments').flatMap((each) =>
        this.assignment(each, 'symbol', 'the initial assignment of'),
      ),
      rules: listed(root, 'listOfRules').flatMap((each) => this.rule(each)),
      algebraic: listed(root, 'listOfRules').flatMap((each) => this.algebraic(each)),
      reactions: listed(root, 'listOfReactions').map((each) => this.reaction(each)),
      events: listed(root, 'listOfEvents').flatMap((each, i) => this.event(each, i)),
      warnings,
      aliases: new Map(),
    };
  }

  /** Level 1 calls it a name. */
  private idOf({ attributes }: XmlElement): string | undefined {
    return attributes.get(this.level === 1 ? 'name' : 'id');
  }

  private demandId(element: XmlElement): string {
    const id = this.idOf(element) ?? refuse(`a <${element.name}> has no id`);
    return /^[a-z_]\w*$/i.test(id) ? id : refuse(`<${element.name}> "${id}" has an id that is none in SBML`);
  }

  private nameOf({ attributes }: XmlElement): string | undefined {
    return this.level === 1 ? undefined : attributes.get('name');
  }

  /** Where Level 3 has no default, `usual` is what remains to be said. */
  private truth(element: XmlElement, key: string, usual: boolean): boolean {
    const text = element.attributes.get(key)?.trim();
    if (text === undefined) return usual;
    if (['true', '1', 'false', '0'].includes(text)) return text === 'true' || text === '1';
    return refuse(
      `<${element.name}> "${this.idOf(element) ?? ''}" says ${key}="${text}", which is neither true nor false`,
    );
  }

  private number(element: XmlElement, ...keys: string[]): number | undefined {
    for (const key of keys) {
      const text = element.attributes.get(key)?.trim();
      if (text === undefined) continue;
      const value = text === 'INF' ? Infinity : text === '-INF' ? -Infinity : decimal(text);
      if (text === 'NaN' || !Number.isNaN(value)) return value;
      refuse(`<${element.name}> "${this.idOf(element) ?? ''}" says ${key}="${text}", which is no number`);
    }
    return undefined;
  }

  private math(element: XmlElement | undefined, where: string): Expression | undefined {
    const math = element && this.mathIn(element, where);
    return math && readMath(math, where);
  }

  private mathIn(element: XmlElement, where: string): XmlElement | undefined {
    const [math, ...more] = element.children.filter(({ name }) => name === 'math');
    return more.length > 0 ? refuse(`${where} has several <math>`) : math;
  }

  private functions(): Map<string, Lambda> {
    const found = new Map<string, Lambda>();
    for (const element of listed(this.root, 'listOfFunctionDefinitions')) {
      const id = this.demandId(element);
      const where = `the function "${id}"`;
      const math = this.mathIn(element, where);
      const lambda = math && readLambda(math, where);
      if (lambda) found.set(id, lambda);
    }
    return found;
  }

  private compartment(element: XmlElement): Compartment {
    const dimensions = this.number(element, 'spatialDimensions') ?? (this.level < 3 ? 3 : undefined);
    const usual = this.level === 1 ? 1 : undefined;
    return {
      id: this.demandId(element),
      name: this.nameOf(element),
      size: this.number(element, 'size', 'volume') ?? usual,
      dimensions,
      constant: this.truth(element, 'constant', true),
      units: element.attributes.get('units'),
    };
  }

  private species(element: XmlElement): Species {
    return {
      id: this.demandId(element),
      name: this.nameOf(element),
      compartment: element.attributes.get('compartment') ?? refuse(`the species "${this.idOf(element)}" is nowhere`),
      amount: this.number(element, 'initialAmount'),
      concentration: this.number(element, 'initialConcentration'),
      isAmount: this.truth(element, 'hasOnlySubstanceUnits', false),
      boundary: this.truth(element, 'boundaryCondition', false),
      constant: this.truth(element, 'constant', false),
      conversionFactor: element.attributes.get('conversionFactor'),
      units: element.attributes.get('substanceUnits') ?? element.attributes.get('units'),
    };
  }

  private parameter(element: XmlElement, reaction?: string): Parameter {
    const id = this.demandId(element);
    return {
      id: reaction === undefined ? id : `${reaction}.${id}`,
      name: this.nameOf(element),
      value: this.number(element, 'value'),
      constant: reaction !== undefined || this.truth(element, 'constant', true),
      units: element.attributes.get('units'),
    };
  }

  private assignment(element: XmlElement, key: string, what: string): Assignment[] {
    const variable = element.attributes.get(key) ?? refuse(`a <${element.name}> assigns to nothing`);
    const math = this.math(element, `${what} "${variable}"`);
    return math ? [{ variable, math }] : [];
  }

  private rule(element: XmlElement): Rule[] {
    if (element.name === 'algebraicRule') return [];
    const { attributes } = element;
    const variable =
      attributes.get('variable') ??
      attributes.get('species') ??
      attributes.get('specie') ??
      attributes.get('compartment') ??
      attributes.get('name') ??
      refuse(`a <${element.name}> has no variable`);
    const where = `the rule of "${variable}"`;
    const kind = element.name === 'rateRule' || attributes.get('type') === 'rate' ? 'rate' : 'assignment';
    const math = this.ruleMath(element, where);
    return math ? [{ kind, variable, math }] : [];
  }

  private algebraic(element: XmlElement): Expression[] {
    if (element.name !== 'algebraicRule') return [];
    const math = this.ruleMath(element, 'an algebraic rule');
    return math ? [math] : [];
  }

  /** Level 1 has it as text. */
  private ruleMath(element: XmlElement, where: string): Expression | undefined {
    const text = element.attributes.get('formula');
    if (this.level > 1) return this.math(element, where);
    return text === undefined || text === '' ? undefined : readInfix(text, where);
  }

  private reaction(element: XmlElement): Reaction {
    const id = this.demandId(element);
    const law = child(element, 'kineticLaw');
    const where = `the rate of "${id}"`;
    demandOnce(element, `the reaction "${id}"`);
    if (law) demandOnce(law, where);
    const text = law?.attributes.get('formula');
    const side = (list: string, sign: -1 | 1): SpeciesReference[] =>
      listed(element, list).map((each) => this.reference(each, id, sign));
    return {
      id,
      name: this.nameOf(element),
      fast: this.truth(element, 'fast', false),
      references: [...side('listOfReactants', -1), ...side('listOfProducts', 1)],
      reversible: this.truth(element, 'reversible', true),
      rate: text !== undefined && this.level === 1 ? readInfix(text, where) : this.rate(law, id),
      parameters: [
        ...(law ? listed(law, 'listOfParameters') : []),
        ...(law ? listed(law, 'listOfLocalParameters') : []),
      ].map((each) => this.parameter(each, id)),
    };
  }

  /** A law without mathematics is as if it were not there, as every element is that may lack them: nothing runs by it. */
  private rate(law: XmlElement | undefined, id: string): Expression | undefined {
    const found = this.math(law, `the rate of "${id}"`);
    if (found || !law || this.level < 3 || this.version < 2) return found;
    this.warnings.push(`the rate of "${id}" has no mathematics: the reaction does not run`);
    return number(0);
  }

  private reference(element: XmlElement, reaction: string, side: -1 | 1): SpeciesReference {
    const species =
      element.attributes.get('species') ?? element.attributes.get('specie') ?? refuse(`"${reaction}" names no species`);
    const math = child(element, 'stoichiometryMath');
    const given = this.math(math, `the stoichiometry of "${species}" in "${reaction}"`);
    const denominator = this.number(element, 'denominator') ?? 1;
    const stated = this.number(element, 'stoichiometry') ?? (this.level < 3 ? 1 : undefined);
    return {
      id: this.level === 1 ? undefined : element.attributes.get('id'),
      species,
      stoichiometry: given ?? (stated === undefined ? undefined : stated / denominator),
      constant: this.truth(element, 'constant', true),
      side,
    };
  }

  /** One that has no trigger never happens. */
  private event(element: XmlElement, i: number): SbmlEvent[] {
    const id = element.attributes.get('id') ?? `event_${i + 1}`;
    const where = `the event "${id}"`;
    demandOnce(element, where);
    const trigger = child(element, 'trigger');
    const math = this.math(trigger, where);
    if (!trigger || !math) return [];
    return [
      {
        id,
        name: this.nameOf(element),
        trigger: math,
        initial: this.truth(trigger, 'initialValue', true),
        persistent: this.truth(trigger, 'persistent', true),
        atTrigger: this.truth(element, 'useValuesFromTriggerTime', true),
        delay: this.math(child(element, 'delay'), where),
        priority: this.math(child(element, 'priority'), where),
        assignments: listed(element, 'listOfEventAssignments').flatMap((each) =>
          this.assignment(each, 'variable', `${where}, in what it sets for`),
        ),
      },
    ];
  }
}
