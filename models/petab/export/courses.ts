/**
 * The course of a lane of an ode block: it alone, or after the solutions at whose ends it begins. Of each period what it
 * changes: constants and states that are others than before, in the names of the first block.
 */
import type { OdeBlock } from '../../blocks/ode/schema.ts';
import type { Expression } from '../../formula/syntax.ts';
import { walk } from '../../formula/syntax.ts';
import { printExpression } from '../../formula/print.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { refuse } from '../../sbml/refusal.ts';
import { counterparts } from './dynamics.ts';
import type { Elements, SolutionElement } from './elements.ts';

type Ode = OdeBlock & { readonly id: string };

export interface Lane {
  readonly ode: Ode;
  readonly lane: number;
  /** −∞ of one that is followed until nothing changes any more. */
  readonly time: number;
  /** Constant of the first block, or state → its value, over parameters and what the lane before gives. */
  readonly constants: ReadonlyMap<string, Expression>;
  readonly states: ReadonlyMap<string, Expression>;
}

export class Courses {
  /** The block whose names count. */
  readonly first: Ode;
  private readonly odes: ReadonlyMap<string, Ode>;
  private readonly elements: Elements;
  private readonly constants: readonly string[];
  private readonly same = new Map<string, ReadonlyMap<string, string>>();
  private readonly found = new Map<string, readonly Lane[]>();

  constructor(odes: readonly Ode[], elements: Elements, constants: (ode: Ode) => readonly string[]) {
    const [first] = odes;
    this.first = first ?? refuse('the document has no ode block, and a PEtab problem has a model of how things change');
    this.odes = new Map(odes.map((ode) => [ode.id, ode]));
    this.elements = elements;
    this.constants = constants(this.first);
    for (const ode of odes) {
      const same =
        counterparts(this.first, ode) ??
        refuse(`"${this.first.id}" and "${ode.id}" are two models of how things change: one is exported at a time`);
      this.same.set(ode.id, same);
    }
  }

  /** From its first lane to this one. */
  to(id: string, lane: number): readonly Lane[] {
    const key = `${id} ${lane}`;
    const known = this.found.get(key);
    if (known) return known;
    const ode = this.odes.get(id) ?? refuse(`"${id}" is no ode block of the document itself`);
    const same = this.same.get(id)!;
    const constants = new Map(
      this.constants.map((constant) => [constant, this.ofLane(same.get(constant) ?? constant, ode, lane)]),
    );
    const states = new Map(Object.entries(ode.state).map(([s, { initial }]) => [s, this.ofLane(initial, ode, lane)]));
    const before = this.before(ode, [...constants.values(), ...states.values()]);
    const time = this.begin(ode, lane);
    const own: Lane = { ode, lane, time, constants, states };
    const course = before ? [...this.ending(before, time, ode), own] : [own];
    this.found.set(key, course);
    return course;
  }

  timeOf({ ode: id, lane, slot }: SolutionElement): number {
    const { times } = this.odes.get(id)!;
    if (!this.elements.isData(times)) refuse(`"${id}" is asked for at times that hang on parameters`);
    const { shape } = this.elements.shapeOf(times);
    const lanes = shape.slice(1).reduce((product, size) => product * size, 1);
    return this.elements.valueAt(times, slot * lanes + (lanes === 1 ? 0 : lane));
  }

  /** The one element of a solution that formulas speak of, in all; undefined where they speak of none. */
  solutionIn(what: string, expressions: readonly Expression[]): SolutionElement | undefined {
    let found: SolutionElement | undefined;
    for (const node of expressions.flatMap((each) => [...walk(each)])) {
      const here = this.elements.solutionOf(node);
      if (!here) continue;
      if (found && (found.ode !== here.ode || found.lane !== here.lane || found.slot !== here.slot))
        refuse(`${what} uses values of two solutions or times at once, which PEtab cannot say`);
      found = here;
    }
    return found;
  }

  private before(ode: Ode, values: readonly Expression[]): SolutionElement | undefined {
    const found = this.solutionIn(`the beginning of "${ode.id}"`, values);
    return found?.ode === ode.id ? refuse(`"${ode.id}" begins with what it gives itself`) : found;
  }

  /** The course before, which ends where this lane begins. */
  private ending(before: SolutionElement, time: number, ode: Ode): Lane[] {
    const course = this.to(before.ode, before.lane);
    const end = this.timeOf(before);
    const last = course.at(-1)!;
    if (end === Infinity && course.length === 1) return [{ ...last, time: -Infinity }];
    if (end !== time || last.time >= time)
      refuse(`"${ode.id}" begins at ${time} with what "${before.ode}" gives at ${end}, which PEtab cannot say`);
    return [...course];
  }

  private begin({ id, from }: Ode, lane: number): number {
    if (from === undefined) return this.firstTime(id, lane);
    if (isDocumentNumber(from)) return toNumber(from);
    if (!this.elements.isData(from)) return refuse(`"${id}" begins at a time that hangs on parameters`);
    return this.elements.valueAt(from, lane);
  }

  private firstTime(ode: string, lane: number): number {
    const [slots = 0] = this.elements.shapeOf(this.odes.get(ode)!.times).shape;
    return Math.min(...Array.from({ length: slots }, (_, slot) => this.timeOf({ ode, own: '', lane, slot })));
  }

  private ofLane(reference: string | number, ode: Ode, lane: number): Expression {
    if (isDocumentNumber(reference)) return this.elements.at(reference, 0);
    const count = this.elements.count(reference);
    const lanes = this.elements.shapeOf(`${ode.id}.${Object.keys(ode.state)[0]}`).shape.slice(1);
    if (count > 1 && lanes.reduce((product, size) => product * size, 1) !== count)
      refuse(`"${ode.id}" uses "${reference}", which has not one value for each of its solutions`);
    return this.elements.at(reference, count === 1 ? 0 : lane);
  }
}

export const keyOf = (course: readonly Lane[]): string => course.map(({ ode, lane }) => `${ode.id} ${lane}`).join(', ');

export const isSame = (a: Expression | undefined, b: Expression | undefined): boolean =>
  a !== undefined && b !== undefined && printExpression(a) === printExpression(b);
