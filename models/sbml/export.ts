/**
 * A document whose dynamics are one ode block, as SBML Level 3 Version 2: what reactions alone change are species, in the
 * compartment that their change is per; any other state is a parameter with a rate rule, a named formula one with an
 * assignment rule. What the dynamics do not depend on (data, objectives) is named in the notes, and left out.
 */
import type { Block, BlockOf } from '../blocks/block.ts';
import { dosesIn, reactionsOf, triggersOf, type OdeBlock } from '../blocks/ode/schema.ts';
import { isReactionFault, parseReaction, type Stoichiometry } from '../notation/reaction.ts';
import type { Document } from '../format/document.ts';
import type { Expression } from '../formula/syntax.ts';
import { walk } from '../formula/syntax.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { escapeXml } from '../notation/escape-xml.ts';
import { refuse } from './refusal.ts';
import { binary, number, rewrite } from './syntax.ts';
import { writtenOut } from './written-out.ts';
import { mathOf, nameMath, numberMath } from './write-math.ts';

/** Throws `SbmlRefusal`. */
export function exportSbml(document: Document): string {
  return new Writer(document, new Set()).text();
}

/** `changed` are blocks that another file sets to other values: not constant here. `idOf` is what a reference is called. */
export function writeSbml(
  document: Document,
  changed: ReadonlySet<string>,
): { readonly text: string; readonly idOf: (reference: string, wanted?: string) => string } {
  const writer = new Writer(document, changed);
  return { text: writer.text(), idOf: (reference, wanted) => writer.fileId(reference, wanted) };
}

const sId = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Of a solver with one state, which answers to its id alone. */
export const soleState = ({ state }: BlockOf<'ode'>): string => Object.keys(state)[0] ?? '';

class Writer {
  private readonly ode: OdeBlock;
  private readonly blocks: ReadonlyMap<string, Block>;
  /** Reference (`k`, `model.S`) → id in the file. */
  private readonly ids = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly stoichiometry: Stoichiometry[];
  private readonly parameters: string[] = [];
  private readonly assignments: string[] = [];
  private readonly rules: string[] = [];
  private readonly done = new Set<string>();

  constructor(
    private readonly document: Document,
    private readonly changed: ReadonlySet<string>,
  ) {
    const found = document.blocks.filter((block): block is BlockOf<'ode'> => block.kind === 'ode');
    const [ode, second] = found;
    if (!ode) refuse('the document has no ode block, and SBML says how things change');
    if (second) refuse(`the document has two ode blocks, "${ode.id}" and "${second.id}", and SBML has one time`);
    this.ode = ode;
    this.blocks = new Map(document.blocks.map((block) => [block.id, block]));
    for (const [name, reference] of Object.entries(document.names ?? {}))
      if (typeof reference === 'string' && sId.test(name) && !this.ids.has(reference))
        this.ids.set(reference, this.fresh(name));
    const states = Object.keys(ode.state);
    this.stoichiometry = reactionsOf(ode).map(({ reaction }) => {
      const parsed = parseReaction(reaction, states);
      return isReactionFault(parsed) ? refuse(`the reaction "${reaction}" ${parsed.message}`) : parsed;
    });
  }

  text(): string {
    const { ode } = this;
    if (Object.keys(ode.inputs ?? {}).length > 0)
      refuse(`"${ode.id}" has inputs over time, which are data, and SBML has none`);
    if (ode.from !== undefined && !(isDocumentNumber(ode.from) && toNumber(ode.from) === 0))
      refuse(`"${ode.id}" does not begin at time 0, and SBML's solutions do`);
    const compartments = new Map<string, string>();
    const species: string[] = [];
    // Compartments first: where a formula has one it is no parameter.
    const homes = new Map(Object.keys(ode.state).map((state) => [state, this.homeOf(state, compartments)]));
    for (const [state, home] of homes) this.state(state, home, species);
    for (const [formula, text] of Object.entries(ode.formulas ?? {}))
      this.rule('assignment', this.own(formula), writtenOut(text));
    const reactions = reactionsOf(ode).map((_, j) => this.reaction(j));
    const events = [...triggersOf(ode).map(({ index }) => index), ...dosesIn(ode).map(({ index }) => index)]
      .sort((a, b) => a - b)
      .map((index) => this.event(index));
    for (const block of this.document.blocks) {
      if (block.kind === 'parameter' && valueOf(block) !== undefined) this.referred(block.id);
      if (block.kind === 'map') this.observed(block);
    }
    const left = this.document.blocks.filter(
      (block) => !this.done.has(block.id) && !['ode', 'range', 'parameter', 'constant'].includes(block.kind),
    );
    const list = (tag: string, items: readonly string[]): string =>
      items.length === 0 ? '' : `<${tag}>\n${items.join('\n')}\n</${tag}>\n`;
    const title = escapeXml(this.document.name ?? ode.label ?? ode.id);
    const notes =
      left.length === 0
        ? ''
        : `<notes><p xmlns="http://www.w3.org/1999/xhtml">Left out, since no rate depends on them: ${left.map(({ id }) => escapeXml(id)).join(', ')}.</p></notes>\n`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2">
<model id="${this.fresh(ode.id)}" name="${title}">
${notes}${list('listOfCompartments', [...compartments.values()])}${list('listOfSpecies', species)}${list('listOfParameters', this.parameters)}${list('listOfInitialAssignments', this.assignments)}${list('listOfRules', this.rules)}${list('listOfReactions', reactions)}${list('listOfEvents', events)}</model>
</sbml>
`;
  }

  /** An id that is free, as near to `wanted` as can be. */
  private fresh(wanted: string): string {
    let id = wanted;
    while (this.used.has(id)) id += '_';
    this.used.add(id);
    return id;
  }

  /** A state of the block: a species where reactions alone change it, else a parameter. */
  private state(state: string, compartment: string | undefined, species: string[]): void {
    const { initial, per, history } = this.ode.state[state]!;
    if (history !== undefined) refuse(`the state "${state}" has a history before the start, which SBML cannot say`);
    const id = this.own(state);
    const start = isDocumentNumber(initial) ? toNumber(initial) : undefined;
    if (compartment !== undefined) {
      const key = per === undefined ? 'initialAmount' : 'initialConcentration';
      const begins = start === undefined ? '' : ` ${key}="${numeral(start)}"`;
      species.push(
        `<species id="${id}" compartment="${compartment}"${begins} hasOnlySubstanceUnits="${per === undefined}" boundaryCondition="false" constant="false"/>`,
      );
    } else {
      this.parameter(id, start, false);
      this.rule('rate', id, this.rateOf(state));
    }
    if (start === undefined) this.starts(id, nameMath(String(initial)), String(initial));
  }

  private homeOf(state: string, compartments: Map<string, string>): string | undefined {
    const { per } = this.ode.state[state]!;
    return this.isSpecies(state) ? this.compartmentOf(per, compartments) : undefined;
  }

  /** The id of a compartment; undefined where what the change is per is none. */
  private compartmentOf(per: string | undefined, compartments: Map<string, string>): string | undefined {
    if (per === undefined) {
      const known = [...compartments].find(([reference]) => reference === '');
      const id = known ? this.ids.get('')! : this.fresh('compartment');
      this.ids.set('', id);
      compartments.set('', `<compartment id="${id}" spatialDimensions="3" size="1" constant="true"/>`);
      return id;
    }
    const parsed = writtenOut(per);
    const block = parsed.kind === 'name' ? this.blocks.get(parsed.name) : undefined;
    if (parsed.kind !== 'name' || !block || this.isOwn(parsed.name)) return undefined;
    const value = valueOf(block);
    if (value === undefined) return undefined;
    const id = this.fileId(parsed.name);
    this.done.add(parsed.name);
    compartments.set(
      parsed.name,
      `<compartment id="${id}" spatialDimensions="3" size="${numeral(value)}" constant="${!this.changed.has(parsed.name)}"/>`,
    );
    return id;
  }

  /** Its own rate and what reactions do to it. */
  private rateOf(state: string): Expression {
    const { rate, per } = this.ode.state[state]!;
    const terms = this.stoichiometry.flatMap((each, j) => {
      const amount = each.get(state);
      if (amount === undefined) return [];
      return [binary('*', number(amount), nameMath(this.reactionName(j)))];
    });
    const sum = terms.length === 0 ? undefined : terms.reduce((a, b) => binary('+', a, b));
    const made = sum && per !== undefined ? binary('/', sum, writtenOut(per)) : sum;
    const own = rate === undefined ? undefined : writtenOut(rate);
    if (made && own) return binary('+', own, made);
    return made ?? own ?? number(0);
  }

  private reactionName(j: number): string {
    return reactionsOf(this.ode)[j]?.name ?? `reactions.${j}`;
  }

  private isSpecies(state: string): boolean {
    const { rate, per } = this.ode.state[state]!;
    if (!isStill(rate) || !this.stoichiometry.some((each) => each.has(state))) return false;
    if (per === undefined) return true;
    const parsed = writtenOut(per);
    return parsed.kind === 'name' && !this.isOwn(parsed.name) && valueOf(this.blocks.get(parsed.name)) !== undefined;
  }

  private reaction(j: number): string {
    const { reaction, rate } = reactionsOf(this.ode)[j]!;
    const math = writtenOut(rate);
    const id = this.own(this.reactionName(j));
    const mine = [...(this.stoichiometry[j] ?? [])].filter(([state]) => this.isSpecies(state));
    const side = (tag: string, sign: number): string => {
      const items = mine.filter(([, amount]) => amount * sign > 0);
      const lines = items.map(
        ([state, amount]) =>
          `<speciesReference species="${this.own(state)}" stoichiometry="${numeral(Math.abs(amount))}" constant="true"/>`,
      );
      return lines.length === 0 ? '' : `<${tag}>${lines.join('')}</${tag}>`;
    };
    const used = new Set([...walk(math)].flatMap((node) => (node.kind === 'name' ? [node.name] : [])));
    const modifiers = Object.keys(this.ode.state).filter(
      (state) => used.has(state) && !mine.some(([each]) => each === state) && this.isSpecies(state),
    );
    const modified =
      modifiers.length === 0
        ? ''
        : `<listOfModifiers>${modifiers.map((state) => `<modifierSpeciesReference species="${this.own(state)}"/>`).join('')}</listOfModifiers>`;
    return `<reaction id="${id}" reversible="${reaction.includes('<->')}">${side('listOfReactants', -1)}${side('listOfProducts', 1)}${modified}<kineticLaw>${this.math(math)}</kineticLaw></reaction>`;
  }

  private event(index: number): string {
    const event = this.ode.events?.[index];
    const formula = (given: string | number): Expression =>
      isDocumentNumber(given) ? numberMath(toNumber(given)) : writtenOut(given);
    const set = (state: string, value: Expression): string =>
      `<eventAssignment variable="${this.own(state)}">${this.math(value)}</eventAssignment>`;
    const part = (tag: string, given: string | number | undefined): string =>
      given === undefined ? '' : `<${tag}>${this.math(formula(given))}</${tag}>`;
    if (event && 'when' in event) {
      if (event.scaled)
        refuse(
          `event ${index} of "${this.ode.id}" scales what it sets when it is carried out, and SBML has no such event`,
        );
      const { when, set: sets, delay, priority, persistent = true, initial = true, values = 'trigger' } = event;
      const assigned = Object.entries(sets).map(([state, value]) => set(state, formula(value)));
      return `<event useValuesFromTriggerTime="${values === 'trigger'}"><trigger initialValue="${initial}" persistent="${persistent}">${this.math(writtenOut(when))}</trigger>${part('priority', priority)}${part('delay', delay)}<listOfEventAssignments>${assigned.join('')}</listOfEventAssignments></event>`;
    }
    if (!event || !isDocumentNumber(event.times) || !isDocumentNumber(event.add))
      return refuse(`event ${index} of "${this.ode.id}" is doses that a table gives, and SBML has none`);
    const trigger = binary('>=', nameMath('time'), numberMath(toNumber(event.times)));
    const dosed = binary('+', nameMath(event.state), numberMath(toNumber(event.add)));
    return `<event useValuesFromTriggerTime="true"><trigger initialValue="false" persistent="true">${this.math(trigger)}</trigger><listOfEventAssignments>${set(event.state, dosed)}</listOfEventAssignments></event>`;
  }

  /** A map of what the solution gives, or of constants alone, where every name in it stands for something here. */
  private observed(block: BlockOf<'map'>): void {
    if (this.done.has(block.id) || block.formula === undefined) return;
    const { inputs = {} } = block;
    const formula = block.formula;
    const parsed = writtenOut(formula);
    const references = [...walk(parsed)].flatMap((node) =>
      node.kind === 'name' ? [this.whole(inputs[node.name] ?? node.name)] : [],
    );
    const stands = (reference: string): boolean =>
      constantNames.has(reference) ||
      (reference.startsWith(`${this.ode.id}.`) && this.isOwn(reference.slice(this.ode.id.length + 1))) ||
      valueOf(this.blocks.get(reference)) !== undefined;
    if (!references.every(stands)) return;
    if (!references.some((each) => each === 'time' || each.startsWith(`${this.ode.id}.`))) {
      this.referred(block.id);
      return;
    }
    this.done.add(block.id);
    const put = rewrite(parsed, (node) => {
      const reference = node.kind === 'name' ? this.whole(inputs[node.name] ?? node.name) : undefined;
      return reference === undefined || constantNames.has(reference) ? node : nameMath(`&${reference}`);
    });
    this.parameter(this.fileId(block.id), undefined, false);
    this.rules.push(
      `<assignmentRule variable="${this.fileId(block.id)}">${mathOf(put, (name) => this.referred(name.slice(1)))}</assignmentRule>`,
    );
  }

  private starts(id: string, math: Expression, reference: string): void {
    this.assignments.push(
      `<initialAssignment symbol="${id}">${mathOf(math, () => this.referred(reference))}</initialAssignment>`,
    );
  }

  private rule(kind: 'assignment' | 'rate', id: string, math: Expression): void {
    if (kind === 'assignment') this.parameter(id, undefined, false);
    this.rules.push(`<${kind}Rule variable="${id}">${this.math(math)}</${kind}Rule>`);
  }

  private parameter(id: string, value: number | undefined, constant: boolean): void {
    const given = value === undefined ? '' : ` value="${numeral(value)}"`;
    this.parameters.push(`<parameter id="${id}"${given} constant="${constant}"/>`);
  }

  private math(expression: Expression): string {
    return mathOf(expression, (name) => this.idOf(name));
  }

  /** What a name in a formula of the block stands for: of its own first. */
  private idOf(name: string): string {
    return this.isOwn(name) || name.startsWith('reactions.') ? this.own(name) : this.referred(name);
  }

  private isOwn(name: string): boolean {
    const { state, formulas = {} } = this.ode;
    return (
      Object.hasOwn(state, name) ||
      Object.hasOwn(formulas, name) ||
      reactionsOf(this.ode).some((each) => each.name === name)
    );
  }

  private own(name: string): string {
    return this.fileId(`${this.ode.id}.${name}`, name.replace('.', '_'));
  }

  /** What a reference is called in the file, free for it where it does not stand there. */
  fileId(reference: string, wanted = reference): string {
    const known = this.ids.get(reference);
    if (known !== undefined) return known;
    const id = this.fresh(wanted);
    this.ids.set(reference, id);
    return id;
  }

  /** With its output, where the ode block has one alone and is named by its id. */
  private whole(reference: string): string {
    return reference === this.ode.id ? `${reference}.${soleState(this.ode)}` : reference;
  }

  /** A block, or an output of the ode block; a constant is written when it is first asked for. */
  private referred(given: string): string {
    const reference = this.whole(given);
    if (reference.startsWith(`${this.ode.id}.`)) return this.own(reference.slice(this.ode.id.length + 1));
    const block = this.blocks.get(reference);
    if (!block) return refuse(`"${reference}" is used in "${this.ode.id}", and is no block that SBML can have`);
    const id = this.fileId(reference);
    if (this.done.has(reference)) return id;
    this.done.add(reference);
    const value = valueOf(block);
    if (value !== undefined) {
      this.parameter(id, value, !this.changed.has(reference));
      return id;
    }
    if (block.kind !== 'map' || block.formula === undefined)
      return refuse(`"${this.ode.id}" depends on "${reference}", of kind ${block.kind}, which SBML cannot say`);
    this.parameter(id, undefined, true);
    const inputs = block.inputs ?? {};
    this.assignments.push(
      `<initialAssignment symbol="${id}">${mathOf(writtenOut(block.formula), (name) => this.referred(inputs[name] ?? name))}</initialAssignment>`,
    );
    return id;
  }
}

const constantNames = new Set(['pi', 'e', 'inf', 'nan', 'time']);

const isStill = (rate: string | undefined): boolean => rate === undefined || rate.trim() === '0';

/** Of a block that is a plain number. */
function valueOf(block: Block | undefined): number | undefined {
  if (block?.kind === 'parameter') return isDocumentNumber(block.initial) ? toNumber(block.initial) : undefined;
  if (block?.kind === 'constant') return isDocumentNumber(block.value) ? toNumber(block.value) : undefined;
  return undefined;
}

function numeral(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? 'INF' : '-INF';
}
