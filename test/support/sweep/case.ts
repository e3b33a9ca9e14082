/** A program that one rule is tried on, while it is written: one construct on parameters of its own. */
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity, componentTypes, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import type { Size } from '../../../engine/0-ir/sizes.ts';
import { arrayType, type Shape } from '../../../engine/0-ir/types.ts';
import type { VjpRule } from '../../../engine/2-ad/rule.ts';
import type { Choices } from '../choices.ts';
import { randomOperator, type SweptOperator } from './operators.ts';

export type Range = readonly [low: number, high: number];

/** Sizes are the symbols n (the axis that matters), m and bins, so that one program serves all. */
export interface SweepCase {
  readonly name: string;
  readonly program: Program;
  /** Of real parameters; the others have [-1.5, 1.5]. */
  readonly ranges: ReadonlyMap<string, Range>;
  /** Of elements: what long axes keep near to, so that products of thousands stay finite. */
  readonly neutral: ReadonlyMap<string, number>;
  /** Whether equal elements make a kink, where central differences say nothing. */
  readonly ties: boolean;
}

/** Of the construct that a rule is forced on. */
export const origin = 'swept';

export interface Domain {
  readonly shape: Shape;
  readonly axis: number;
}

/** The first axis, the last, one in the middle; alone, before and behind others. */
const domains: readonly Domain[] = [
  { shape: ['n'], axis: 0 },
  { shape: ['n', 'm'], axis: 0 },
  { shape: ['m', 'n'], axis: 1 },
  { shape: ['m', 'n', 2], axis: 1 },
  { shape: [2, 'm', 'n'], axis: 2 },
  { shape: ['n', 2, 'm'], axis: 0 },
];

export class CaseWriter {
  readonly b = new ProgramBuilder();
  readonly c: Choices;
  readonly rule: VjpRule;
  private readonly ranges = new Map<string, Range>();
  private readonly neutral = new Map<string, number>();
  private readonly said: string[] = [];
  private ties = false;
  /** Of the operator's components. */
  private readonly most: number;

  constructor(c: Choices, rule: VjpRule, most: number) {
    this.c = c;
    this.rule = rule;
    this.most = most;
  }

  real(name: string, shape: Shape, range?: Range): Value {
    if (range) this.ranges.set(name, range);
    return this.b.parameter(name, arrayType('real', shape));
  }

  int(name: string, shape: Shape): Value {
    return this.b.parameter(name, arrayType('int', shape));
  }

  bool(name: string, shape: Shape): Value {
    return this.b.parameter(name, arrayType('bool', shape));
  }

  domain(): Domain {
    const domain = this.c.pick(domains);
    this.say(`axis ${domain.axis} of [${domain.shape.join(', ')}]`);
    return domain;
  }

  /** The shape itself, mostly; one that broadcasts to it now and then, along axes other than those kept. */
  within(shape: Shape, keep: readonly number[] = []): Shape {
    if (!this.c.rarely(4)) return shape;
    return shape.map((size, axis) => (!keep.includes(axis) && this.c.flip() ? 1 : size));
  }

  /** An operator of the rule's class for which `fits` holds. */
  operator(fits: (operator: Operator) => boolean): SweptOperator {
    const { sweep, construct, name } = this.rule;
    if (!sweep) throw new Error(`the rule ${name} does not say what operators it is swept over`);
    const commutes = construct === 'histogram' || construct === 'keyed-scan';
    const small = (operator: Operator): boolean => arity(operator) <= this.most && fits(operator);
    const found = randomOperator(this.c, sweep, commutes, small);
    this.ties ||= found.ties;
    this.say(found.name);
    return found;
  }

  /** A parameter for each component of the operator. */
  elements(name: string, { operator, ranges }: SweptOperator, shape: () => Shape): Value[] {
    return componentTypes(operator).map((type, i) => {
      this.neutral.set(`${name}${i}`, operator.neutral[i] ?? 0);
      return type === 'real' ? this.real(`${name}${i}`, shape(), ranges[i]) : this.int(`${name}${i}`, shape());
    });
  }

  flag(name: string): boolean {
    const set = this.c.flip();
    if (set) this.say(name);
    return set;
  }

  /** Part of what the case is called. */
  say(what: string): void {
    this.said.push(what);
  }

  /** The construct in question. */
  swept<T>(emit: (b: ProgramBuilder) => T): T {
    this.b.origin = origin;
    const results = emit(this.b);
    this.b.origin = undefined;
    return results;
  }

  finish(results: readonly Value[]): SweepCase {
    const program = this.b.finish(results.map((value, i) => ({ name: `y${i}`, value })));
    return { name: this.said.join(', '), program, ranges: this.ranges, neutral: this.neutral, ties: this.ties };
  }

  /** The named size or a literal one. */
  size(name: string, literal: number): Size {
    return this.c.rarely(3) ? literal : name;
  }
}
