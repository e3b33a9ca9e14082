/**
 * A document whose dynamics are one ode block (or which has none, and formulas of the time) as SBML Level 3 Version 2. Species
 * and compartments are those of substances.ts; any other state is a parameter with a rate rule, a named formula one with
 * an assignment rule. What the dynamics do not depend on (data, objectives) is named in the notes, and left out.
 */
import type { BlockOf } from '../../blocks/block.ts';
import { dosesIn, triggersOf, type OdeBlock } from '../../blocks/ode/schema.ts';
import { isReactionFault, parseReaction, type Stoichiometry } from '../../notation/reaction.ts';
import type { Document } from '../../format/document.ts';
import { printExpression } from '../../formula/print.ts';
import { walk, type Expression } from '../../formula/syntax.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { escapeXml } from '../../notation/escape-xml.ts';
import { refuse } from '../refusal.ts';
import { binary, isNumber, number, over, rewrite, usesTime } from '../syntax.ts';
import { writtenOut } from '../written-out.ts';
import {
  compartmentElement,
  listElement,
  localParameterElement,
  numeral,
  parameterElement,
  speciesElement,
} from './elements.ts';
import { localParameters } from './locals.ts';
import { constantNames, References, valueOf } from './references.ts';
import { isStill, nowhere, substancesIn, type Substance } from './substances.ts';
import { mathOf, nameMath, numberMath } from './write-math.ts';

/** Throws `SbmlRefusal`. */
export function exportSbml(document: Document): string {
  return new Writer(document, new Set(), true).text();
}

/**
 * Of a model that other files speak of: under the first of several names, and without what the names say of amounts.
 * `changed` are blocks that another file sets to other values: not constant here. `idOf` is what a reference is called.
 */
export function writeSbml(
  document: Document,
  changed: ReadonlySet<string>,
): { readonly text: string; readonly idOf: (reference: string, wanted?: string) => string } {
  const writer = new Writer(document, changed, false);
  return { text: writer.text(), idOf: (reference, wanted) => writer.fileId(reference, wanted) };
}

const sId = /^[A-Za-z_][A-Za-z0-9_]*$/;

class Writer {
  private readonly known: References;
  /** Reference (`k`, `model.S`) → id in the file. */
  private readonly ids = new Map<string, string>();
  /** Further names in the file → references. */
  private readonly aliases = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly stoichiometry: Stoichiometry[];
  private readonly species: ReadonlyMap<string, Substance>;
  /** By the reference of the amount. */
  private readonly kept: ReadonlyMap<string, Substance>;
  private readonly compartments: ReadonlySet<string>;
  private readonly lists = {
    compartments: [] as string[],
    species: [] as string[],
    parameters: [] as string[],
    assignments: [] as string[],
    rules: [] as string[],
    reactions: [] as string[],
    events: [] as string[],
  };
  private readonly done = new Set<string>();
  /** Of each reaction what is known in its law alone. */
  private readonly locals: readonly ReadonlyMap<string, string>[];

  constructor(
    private readonly document: Document,
    private readonly changed: ReadonlySet<string>,
    private readonly wholeNames: boolean,
  ) {
    this.known = new References(document);
    const states = Object.keys(this.known.ode?.state ?? {});
    this.stoichiometry = this.known.reactions.map(({ reaction }) => {
      const parsed = parseReaction(reaction, states);
      return isReactionFault(parsed) ? refuse(`the reaction "${reaction}" ${parsed.message}`) : parsed;
    });
    this.locals = wholeNames ? localParameters(document, this.known) : [];
    for (const each of this.locals) for (const reference of each.keys()) this.done.add(reference);
    this.nameAll();
    const named = wholeNames ? document.names : undefined;
    const { species, compartments } = substancesIn(this.known, (state) => this.isChanged(state), named);
    [this.species, this.compartments] = [species, compartments];
    this.kept = new Map(
      [...species.values()].flatMap((each) => (each.kept === undefined ? [] : [[each.kept, each] as const])),
    );
  }

  text(): string {
    const { lists, known } = this;
    const { ode } = known;
    if (ode && Object.keys(ode.inputs ?? {}).length > 0)
      refuse(`"${ode.id}" has inputs over time, which are data, and SBML has none`);
    if (ode?.from !== undefined && !(isDocumentNumber(ode.from) && toNumber(ode.from) === 0))
      refuse(`"${ode.id}" does not begin at time 0, and SBML's solutions do`);
    for (const state of Object.keys(ode?.state ?? {})) this.state(state);
    for (const [formula, text] of Object.entries(ode?.formulas ?? {}))
      if (this.species.get(this.known.outputOf(formula))?.kept === undefined)
        this.assigned(this.known.outputOf(formula), this.ownMath(writtenOut(text)));
    for (const j of this.known.reactions.keys()) this.reaction(j);
    // Of what falls on one time doses come last, each added to what it then finds.
    if (ode) for (const { index } of [...triggersOf(ode), ...dosesIn(ode)]) this.event(ode, index);
    for (const each of this.species.values()) if (each.kept !== undefined) this.constantAmount(each);
    for (const block of this.document.blocks) {
      if (
        block.kind === 'parameter' &&
        valueOf(block) !== undefined &&
        !this.kept.has(block.id) &&
        !this.done.has(block.id)
      )
        this.referred(block.id);
      if (block.kind === 'map') this.observed(block);
    }
    for (const reference of [...this.compartments, ...this.species.keys()]) this.referred(reference);
    for (const [alias, reference] of this.aliases) if (this.known.stands(reference)) this.alias(alias, reference);
    const left = this.document.blocks.filter(
      (block) => !this.done.has(block.id) && !['ode', 'range', 'parameter', 'constant'].includes(block.kind),
    );
    const title = escapeXml(this.document.name ?? ode?.label ?? ode?.id ?? 'model');
    const notes =
      left.length === 0
        ? ''
        : `<notes><p xmlns="http://www.w3.org/1999/xhtml">Left out, since no rate depends on them: ${left.map(({ id }) => escapeXml(id)).join(', ')}.</p></notes>\n`;
    return `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2">
<model id="${this.fresh(ode?.id ?? 'model')}" name="${title}">
${notes}${listElement('listOfCompartments', lists.compartments)}${listElement('listOfSpecies', lists.species)}${listElement('listOfParameters', lists.parameters)}${listElement('listOfInitialAssignments', lists.assignments)}${listElement('listOfRules', lists.rules)}${listElement('listOfReactions', lists.reactions)}${listElement('listOfEvents', lists.events)}</model>
</sbml>
`;
  }

  /** Ids for what the document's names call: of several names the one that the block is called by, the others are aliases. */
  private nameAll(): void {
    for (const [name, reference] of Object.entries(this.document.names ?? {})) {
      if (typeof reference !== 'string' || !sId.test(name)) continue;
      const local = this.known.local(reference) ?? reference;
      const isOwn = local.startsWith(name) && /^_*$/.test(local.slice(name.length));
      if (isOwn || !this.wholeNames) {
        if (!this.ids.has(reference)) this.ids.set(reference, this.fresh(name));
      } else this.aliases.set(name, reference);
    }
    for (const alias of this.aliases.keys()) this.used.add(alias);
  }

  /** An id that is free, as near to `wanted` as can be. */
  private fresh(wanted: string): string {
    let id = wanted;
    while (this.used.has(id)) id += '_';
    this.used.add(id);
    return id;
  }

  /** What a species, compartment or parameter is, by what is known of its reference. `value` as `compartmentElement` has it. */
  private element(
    reference: string,
    value: number | undefined,
    constant: boolean,
    about: { readonly reacts?: boolean; readonly factor?: string | undefined } = {},
  ): string {
    const substance = this.species.get(reference);
    const id = this.fileId(reference, this.known.local(reference)?.replace('.', '_'));
    if (this.compartments.has(reference)) this.lists.compartments.push(compartmentElement(id, value, constant));
    else if (substance)
      this.lists.species.push(
        speciesElement(id, value, constant, {
          compartment: this.referred(substance.compartment),
          isAmount: substance.isAmount,
          beginsAsAmount: substance.kept !== undefined,
          reacts: about.reacts ?? false,
          conversionFactor: about.factor === undefined ? undefined : this.referred(about.factor),
        }),
      );
    else this.lists.parameters.push(parameterElement(id, value, constant));
    return id;
  }

  private assigned(reference: string, math: Expression): void {
    const id = this.element(reference, undefined, false);
    this.lists.rules.push(`<assignmentRule variable="${id}">${this.math(math)}</assignmentRule>`);
  }

  private initially(id: string, math: Expression): void {
    this.lists.assignments.push(`<initialAssignment symbol="${id}">${this.math(math)}</initialAssignment>`);
  }

  /** Another name of what is there: what it is, by a rule. */
  private alias(alias: string, reference: string): void {
    const named = `alias ${alias}`;
    this.ids.set(named, alias);
    const substance = this.species.get(reference);
    if (substance) {
      const id = this.referred(substance.compartment);
      this.lists.species.push(
        speciesElement(alias, undefined, false, {
          compartment: id,
          isAmount: substance.isAmount,
          beginsAsAmount: false,
          reacts: false,
          conversionFactor: undefined,
        }),
      );
    } else if (this.compartments.has(reference))
      this.lists.compartments.push(compartmentElement(alias, undefined, false));
    else this.lists.parameters.push(parameterElement(alias, undefined, false));
    this.lists.rules.push(
      `<assignmentRule variable="${alias}">${this.math(this.placed(nameMath(reference), (each) => each))}</assignmentRule>`,
    );
  }

  /** A state of the block: a species where it is one, whose change is its reactions' where they alone change it; else by a rate rule. */
  private state(state: string): void {
    const { initial, history, rate } = this.known.ode!.state[state]!;
    const substance = this.substanceOf(state);
    const reference = substance?.value ?? this.known.outputOf(state);
    const start = isDocumentNumber(initial) ? toNumber(initial) : undefined;
    const drive = this.driveOf(state);
    const isKept = substance?.kept !== undefined;
    const moves = isKept && (drive ? !isStill(rate) : !isStill(rate) || this.isChanged(state));
    const id = this.element(reference, start, false, { reacts: drive !== undefined || moves, factor: drive?.factor });
    if (moves) this.change(id, drive?.factor, drive ? writtenOut(rate ?? '0') : this.rateOf(state));
    else if (!drive && !isKept)
      this.lists.rules.push(`<rateRule variable="${id}">${this.math(this.ownMath(this.rateOf(state)))}</rateRule>`);
    const begins = start === undefined ? nameMath(this.known.whole(String(initial))) : number(start);
    const past = history === undefined ? begins : this.past(state, history, begins);
    if (start === undefined || usesTime(past))
      this.initially(id, this.perSize(state, past === begins ? this.placed(begins, (each) => each) : past));
  }

  /** A history as SBML has it, an initial assignment over the time: where it ends as the state begins. */
  private past(state: string, history: string, begins: Expression): Expression {
    const written = writtenOut(history);
    const atStart = rewrite(written, (node) => {
      if (node.kind !== 'name' || constantNames.has(node.name)) return node;
      return node.name === 'time' ? number(0) : nameMath(this.known.ownReference(node.name));
    });
    const start = begins.kind === 'name' ? (this.known.formulaOf(begins.name) ?? begins) : begins;
    if (!isSame(atStart, start))
      refuse(
        `the state "${state}" has a history before the start that ends elsewhere than it begins, which SBML cannot say`,
      );
    return this.ownMath(written);
  }

  /** Of an amount whose concentration is the symbol: SBML has rates of symbols, and so a reaction makes it. */
  private change(id: string, factor: string | undefined, rate: Expression): void {
    const math = factor === undefined ? this.ownMath(rate) : over(this.ownMath(rate), marked(factor));
    this.lists.reactions.push(
      `<reaction id="${this.fresh(`${id}_change`)}" reversible="true"><listOfProducts><speciesReference species="${id}" stoichiometry="1" constant="true"/></listOfProducts>${this.law(math, [id])}</reaction>`,
    );
  }

  private substanceOf(state: string): Substance | undefined {
    const reference = this.known.outputOf(state);
    return this.species.get(reference) ?? this.kept.get(reference);
  }

  private isChanged(state: string): boolean {
    return this.stoichiometry.some((each) => each.has(state));
  }

  /** Where reactions change a species as SBML's do: in its compartment, by its factor. A kept amount may have a rate beside. */
  private driveOf(state: string): { readonly factor: string | undefined } | undefined {
    const substance = this.substanceOf(state);
    const { rate, per } = this.known.ode!.state[state]!;
    if (!substance || !this.isChanged(state) || (!isStill(rate) && substance.kept === undefined)) return undefined;
    const parsed = per === undefined ? number(1) : writtenOut(per);
    const [whole, by] =
      parsed.kind === 'binary' && parsed.operator === '/' ? [parsed.left, parsed.right] : [parsed, undefined];
    if (by && (by.kind !== 'name' || this.known.isOwn(by.name))) return undefined;
    const isAmount = substance.isAmount || substance.kept !== undefined;
    const fits = isAmount
      ? isNumber(whole, 1)
      : whole.kind === 'name' && this.known.ownReference(whole.name) === substance.compartment;
    return fits ? { factor: by?.kind === 'name' ? by.name : undefined } : undefined;
  }

  /** Its own rate and what reactions do to it. */
  private rateOf(state: string): Expression {
    const { rate, per } = this.known.ode!.state[state]!;
    const terms = this.stoichiometry.flatMap((each, j) => {
      const amount = each.get(state);
      if (amount === undefined) return [];
      return [binary('*', number(amount), nameMath(this.reactionName(j)))];
    });
    const sum = terms.length === 0 ? undefined : terms.reduce((a, b) => binary('+', a, b));
    const made = sum && per !== undefined ? binary('/', sum, writtenOut(per)) : sum;
    const own = isStill(rate) && made ? undefined : writtenOut(rate ?? '0');
    if (made && own) return binary('+', own, made);
    return made ?? own ?? number(0);
  }

  private reactionName(j: number): string {
    return this.known.reactions[j]?.name ?? `reactions.${j}`;
  }

  private reaction(j: number): void {
    const { reaction, rate } = this.known.reactions[j]!;
    const math = this.ownMath(writtenOut(rate));
    const reference = this.known.outputOf(this.reactionName(j));
    const id = this.fileId(reference, this.known.local(reference)?.replace('.', '_'));
    const mine = [...(this.stoichiometry[j] ?? [])].filter(([state]) => this.driveOf(state) !== undefined);
    const side = (tag: string, sign: number): string => {
      const items = mine.filter(([, amount]) => amount * sign > 0);
      const lines = items.map(
        ([state, amount]) =>
          `<speciesReference species="${this.symbolOf(state)}" stoichiometry="${numeral(Math.abs(amount))}" constant="true"/>`,
      );
      return lines.length === 0 ? '' : `<${tag}>${lines.join('')}</${tag}>`;
    };
    const law = this.law(
      math,
      mine.filter(([, amount]) => amount !== 0).map(([state]) => this.symbolOf(state)),
      this.locals[j],
    );
    this.lists.reactions.push(
      `<reaction id="${id}" reversible="${reaction.includes('<->')}">${side('listOfReactants', -1)}${side('listOfProducts', 1)}${law}</reaction>`,
    );
  }

  /** With the species that it uses and that are not among `named`, which SBML wants to have heard of. */
  private law(math: Expression, named: readonly string[], locals: ReadonlyMap<string, string> = new Map()): string {
    const text = mathOf(math, (name) => locals.get(name.slice(1)) ?? this.referred(name.slice(1)));
    const own = [...locals].map(([reference, id]) =>
      localParameterElement(id, valueOf(this.known.blocks.get(reference))),
    );
    const used = new Set(
      [...walk(math)].flatMap((node) =>
        node.kind === 'name' && this.species.has(node.name.slice(1)) ? [this.fileId(node.name.slice(1))] : [],
      ),
    );
    const modifiers = [...used].filter((id) => !named.includes(id));
    const modified =
      modifiers.length === 0
        ? ''
        : `<listOfModifiers>${modifiers.map((id) => `<modifierSpeciesReference species="${id}"/>`).join('')}</listOfModifiers>`;
    return `${modified}<kineticLaw>${text}${listElement('listOfLocalParameters', own)}</kineticLaw>`;
  }

  private event(ode: OdeBlock, index: number): void {
    const event = ode.events?.[index];
    const formula = (given: string | number): Expression =>
      isDocumentNumber(given) ? numberMath(toNumber(given)) : this.ownMath(writtenOut(given));
    const part = (tag: string, given: string | number | undefined): string =>
      given === undefined ? '' : `<${tag}>${this.math(formula(given))}</${tag}>`;
    const assigned = (state: string, value: Expression): string =>
      `<eventAssignment variable="${this.symbolOf(state)}">${this.math(value)}</eventAssignment>`;
    if (event && 'when' in event) {
      const { when, set, delay, priority, persistent = true, initial = true, values = 'trigger', scaled = {} } = event;
      const sets = Object.entries(set).flatMap(([state, value]) => {
        const by = Object.hasOwn(scaled, state) ? formula(scaled[state]!) : undefined;
        const found = this.setBy(state, formula(value), by, (other) => Object.hasOwn(set, other));
        if (found === 'refused')
          return refuse(
            `event ${index} of "${ode.id}" scales what it sets when it is carried out, and SBML has no such event`,
          );
        return found ? [assigned(state, found)] : [];
      });
      this.lists.events.push(
        `<event useValuesFromTriggerTime="${values === 'trigger'}"><trigger initialValue="${initial}" persistent="${persistent}">${this.math(formula(when))}</trigger>${part('priority', priority)}${part('delay', delay)}<listOfEventAssignments>${sets.join('')}</listOfEventAssignments></event>`,
      );
      return;
    }
    if (!event || !isDocumentNumber(event.times) || !isDocumentNumber(event.add))
      return refuse(`event ${index} of "${ode.id}" is doses that a table gives, and SBML has none`);
    const trigger = binary('>=', nameMath('time'), numberMath(toNumber(event.times)));
    const dosed = this.ownMath(binary('+', nameMath(event.state), numberMath(toNumber(event.add))));
    this.lists.events.push(
      `<event useValuesFromTriggerTime="false"><trigger initialValue="false" persistent="true">${this.math(trigger)}</trigger><listOfEventAssignments>${assigned(event.state, this.perSize(event.state, dosed))}</listOfEventAssignments></event>`,
    );
  }

  /**
   * What an event sets a state's symbol to. SBML scales a concentration by its compartment itself, whatever the event does to
   * that: of a kept amount when it is set, and of a concentration with a rule when its compartment is, for which undefined stands.
   */
  private setBy(
    state: string,
    value: Expression,
    by: Expression | undefined,
    sets: (state: string) => boolean,
  ): Expression | 'refused' | undefined {
    const substance = this.substanceOf(state);
    if (!by) return this.perSize(state, value);
    if (!substance) return 'refused';
    const size = marked(substance.compartment);
    if (substance.kept !== undefined) return isSame(by, size) ? value : 'refused';
    const home = this.known.local(substance.compartment);
    const isOwnAmount = isSame(by, binary('*', marked(substance.value), size));
    return home !== undefined && sets(home) && isOwnAmount ? undefined : 'refused';
  }

  /** An amount in the unit of its symbol. */
  private perSize(state: string, amount: Expression): Expression {
    const substance = this.substanceOf(state);
    if (substance?.kept === undefined) return amount;
    const size = marked(substance.compartment);
    return amount.kind === 'binary' && amount.operator === '*' && isSame(amount.right, size)
      ? amount.left
      : over(amount, size);
  }

  /** A kept amount that nothing changes. */
  private constantAmount({ value, kept, compartment }: Substance): void {
    const block = this.known.blocks.get(kept!);
    if (!block || this.done.has(kept!)) return;
    for (const each of [kept!, value]) this.done.add(each);
    const start = valueOf(block);
    const id = this.element(value, start, false);
    if (start !== undefined) return;
    const amount = this.placed(this.known.formulaOf(kept!) ?? number(NaN), (each) => each);
    this.initially(id, over(amount, marked(compartment)));
  }

  /** A map of what the solution gives, or of constants alone, where every name in it stands for something here. */
  private observed(block: BlockOf<'map'>): void {
    if (this.done.has(block.id) || this.kept.has(block.id) || !this.known.stands(block.id)) return;
    this.referred(block.id);
  }

  private math(marked: Expression): string {
    return mathOf(marked, (name) => this.referred(name.slice(1)));
  }

  /** A formula of the ode block, with marked references for its names. */
  private ownMath(expression: Expression): Expression {
    return this.placed(expression, (name) => (name === 'time' ? this.known.axis : this.known.ownReference(name)));
  }

  /** With marked references for its names; a kept amount is a concentration times a size. */
  private placed(expression: Expression, referenceOf: (name: string) => string): Expression {
    return rewrite(expression, (node) => {
      if (node.kind !== 'name' || constantNames.has(node.name)) return node;
      const reference = referenceOf(node.name);
      if (reference === this.known.axis) return nameMath('time');
      const kept = this.kept.get(reference);
      return kept ? binary('*', marked(kept.value), marked(kept.compartment)) : marked(reference);
    });
  }

  /** The id of what a state's symbol is. */
  private symbolOf(state: string): string {
    const reference = this.substanceOf(state)?.value ?? this.known.outputOf(state);
    return this.fileId(reference, this.known.local(reference)?.replace('.', '_'));
  }

  /** What a reference is called in the file, free for it where it does not stand there. */
  fileId(reference: string, wanted = reference): string {
    const known = this.ids.get(reference);
    if (known !== undefined) return known;
    const id = this.fresh(wanted);
    this.ids.set(reference, id);
    return id;
  }

  /** The id of a block, or an output of the ode block; a block is written when it is first asked for. */
  private referred(given: string): string {
    const reference = this.known.whole(given);
    const local = this.known.local(reference);
    if (local !== undefined) return this.fileId(reference, local.replace('.', '_'));
    const id = this.fileId(reference, reference === nowhere ? 'compartment' : reference);
    if (this.done.has(reference)) return id;
    this.done.add(reference);
    if (reference === nowhere) {
      this.lists.compartments.push(compartmentElement(id, 1, true));
      return id;
    }
    const block = this.known.blocks.get(reference);
    const user = this.known.ode?.id ?? 'a formula';
    if (!block) return refuse(`"${reference}" is used in "${user}", and is no block that SBML can have`);
    const value = valueOf(block);
    if (value !== undefined) return this.element(reference, value, !this.changed.has(reference));
    const formula = block.kind === 'map' ? this.known.formulaOf(reference) : undefined;
    if (!formula) return refuse(`"${user}" depends on "${reference}", of kind ${block.kind}, which SBML cannot say`);
    const math = this.placed(formula, (each) => each);
    if (this.known.varies(reference)) this.assigned(reference, math);
    else this.initially(this.element(reference, undefined, true), math);
    return id;
  }
}

/** A reference in mathematics that is on its way into the file. */
const marked = (reference: string): Expression => nameMath(`&${reference}`);

const isSame = (a: Expression, b: Expression): boolean => printExpression(a) === printExpression(b);
