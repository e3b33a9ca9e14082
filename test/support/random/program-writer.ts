/** What random constructs take their operands from. */
import type { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { componentTypes, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Value } from '../../../engine/0-ir/program.ts';
import type { ScalarFunction } from '../../../engine/0-ir/scalar.ts';
import type { Size } from '../../../engine/0-ir/sizes.ts';
import { broadcastsTo, sameShape, type ElementType, type Shape } from '../../../engine/0-ir/types.ts';
import type { Choices } from '../choices.ts';
import { randomFunction } from './functions.ts';
import type { Style } from './styles.ts';

const sizePool: readonly Size[] = ['n', 'm', 3, 1, 2];
const elementPool: readonly ElementType[] = ['real', 'real', 'int', 'bool'];

export class ProgramWriter {
  readonly builder: ProgramBuilder;
  /** The values that constructs may read. */
  readonly pool: readonly Value[];
  readonly choose: Choices;
  readonly style: Style;

  constructor(builder: ProgramBuilder, pool: readonly Value[], choose: Choices, style: Style) {
    this.builder = builder;
    this.pool = pool;
    this.choose = choose;
    this.style = style;
  }

  size(): Size {
    return this.choose.pick(sizePool);
  }

  element(): ElementType {
    return this.choose.pick(elementPool);
  }

  /** A shape of at least `minRank` axes: a value's, or a new one. */
  shape(minRank = 0): Shape {
    const known = this.pool.map((value) => value.type.shape).filter(({ length }) => length >= minRank && length <= 4);
    if (known.length > 0 && !this.choose.rarely(3)) return this.choose.pick(known);
    return this.choose.list(minRank + this.choose.below(3), () => this.size());
  }

  /** The shape with some axes made the literal 1, which broadcasts back. */
  thinned(shape: Shape): Shape {
    return shape.map((size) => (this.choose.rarely(3) ? 1 : size));
  }

  /** Any value of at least `minRank` axes. */
  any(minRank = 0): Value {
    const fitting = this.pool.filter(({ type }) => type.shape.length >= minRank && type.shape.length <= 4);
    return fitting.length > 0 ? this.choose.pick(fitting) : this.exactly(this.element(), this.shape(minRank));
  }

  /** A value that broadcasts to the domain. */
  over(element: ElementType, domain: Shape): Value {
    const fitting = this.pool.filter(({ type }) => type.element === element && broadcastsTo(type.shape, domain));
    return fitting.length > 0 && !this.choose.rarely(4) ? this.choose.pick(fitting) : this.fresh(element, domain);
  }

  /** A value of exactly this type. */
  exactly(element: ElementType, shape: Shape): Value {
    const fitting = this.pool.filter(({ type }) => type.element === element && sameShape(type.shape, shape));
    if (fitting.length > 0 && !this.choose.rarely(4)) return this.choose.pick(fitting);
    return this.builder.replicate(this.over(element, shape), shape);
  }

  /** 0, 1, 2, … along one of the domain's axes, made into the element type. */
  private fresh(element: ElementType, domain: Shape): Value {
    const { builder, choose } = this;
    if (domain.length === 0 || choose.rarely(3)) return builder.literal(choose.below(2), element);
    const axis = choose.below(domain.length);
    const column = domain.slice(axis).map((size, i) => (i === 0 ? size : 1));
    const index = builder.reshape(builder.iota(domain[axis]!), column);
    if (element === 'int') return index;
    return element === 'bool'
      ? builder.apply('lt', index, builder.literal(choose.below(3), 'int'))
      : builder.apply('sin', builder.apply('real', index));
  }

  function(parameters: readonly ElementType[], results: readonly ElementType[]): ScalarFunction {
    return randomFunction(this.choose, this.style, parameters, results);
  }

  /** Elements over a domain for an operator: inputs that fit, or any inputs and a prologue. */
  combining(domain: Shape): { operator: Operator; prologue?: ScalarFunction; shape: Shape; inputs: Value[] } {
    const operator = this.choose.pick(this.style.operators);
    const components = componentTypes(operator);
    if (!this.choose.rarely(3))
      return { operator, shape: domain, inputs: components.map((element) => this.over(element, domain)) };
    const given = this.choose.list(1 + this.choose.below(2), () => this.element());
    return {
      operator,
      prologue: this.function(given, components),
      shape: domain,
      inputs: given.map((element) => this.over(element, domain)),
    };
  }
}
