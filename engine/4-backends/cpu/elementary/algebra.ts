/**
 * The algebra in which every elementary function is written once: numbers, their bits and masks, in one lane or several.
 * f64 and f64x2 round alike, as do f32 and f32x4, and there is no fused multiply-add: so a function has the same bits in
 * all its forms, and on every machine.
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts';
import type { InstructionName } from '../wasm/instructions.ts';
import {
  apply,
  call,
  f32,
  f32x4,
  f64,
  f64x2,
  get,
  i32,
  i32x4,
  i64,
  i64x2,
  onLane,
  select,
  shuffle,
  type Callee,
  type Expression,
  type Local,
} from '../wasm/expression.ts';
import type { ElementaryOperation } from './operation.ts';

export type Shape = 'f64' | 'f64x2' | 'f32' | 'f32x4';

/** What the functions of a module share. */
export interface Library {
  functionOf(operation: ElementaryOperation, shape: Shape): Callee;
  /** A constant that is kept outside the code: a number, or bits, in every lane. */
  constant(shape: Shape, value: number | bigint, write: () => Expression): Expression;
}

/** An expression of numbers, of their bits as integers, or of masks (0 and 1 in one lane; all bits in several). */
type Real = Expression;
type Bits = Expression;
type Mask = Expression;

const integers = { f64: 'i64', f64x2: 'i64x2', f32: 'i32', f32x4: 'i32x4' } as const;
const low = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const high = [8, 9, 10, 11, 12, 13, 14, 15] as const;

export class Algebra {
  /** Whether a lane has 53 bits of precision, or 24. */
  readonly double: boolean;
  readonly vector: boolean;
  private readonly integer: 'i64' | 'i64x2' | 'i32' | 'i32x4';

  constructor(
    readonly f: FunctionBuilder,
    readonly shape: Shape,
    readonly library: Library,
  ) {
    this.double = shape === 'f64' || shape === 'f64x2';
    this.vector = shape === 'f64x2' || shape === 'f32x4';
    this.integer = integers[shape];
  }

  /** The value in a local: what is used twice is kept first. */
  keep(value: Expression): Expression {
    return get(this.f.keep(value));
  }

  real(value: number): Real {
    return this.library.constant(this.shape, value, () => {
      switch (this.shape) {
        case 'f64':
          return f64(value);
        case 'f64x2':
          return f64x2(value, value);
        case 'f32':
          return f32(value);
        case 'f32x4':
          return f32x4(value, value, value, value);
      }
    });
  }

  bits(value: bigint): Bits {
    const narrow = Number(BigInt.asIntN(32, value));
    switch (this.shape) {
      case 'f64':
        return i64(value);
      case 'f32':
        return i32(narrow);
      case 'f64x2':
        return this.library.constant(this.shape, value, () => i64x2(value, value));
      case 'f32x4':
        return this.library.constant(this.shape, value, () => i32x4(narrow, narrow, narrow, narrow));
    }
  }

  /** One constant in double, another in single precision. */
  per(double: number, single: number): Real {
    return this.real(this.double ? double : single);
  }

  private on(name: string, ...operands: Expression[]): Expression {
    return apply(`${this.shape}.${name}` as InstructionName, ...operands);
  }

  private onBits(name: string, ...operands: Expression[]): Expression {
    return apply(`${this.integer}.${name}` as InstructionName, ...operands);
  }

  private logic(name: 'and' | 'or' | 'xor', a: Bits, b: Bits): Bits {
    return this.vector ? apply(`v128.${name}`, a, b) : this.onBits(name, a, b);
  }

  add(a: Real, b: Real): Real {
    return this.on('add', a, b);
  }
  sub(a: Real, b: Real): Real {
    return this.on('sub', a, b);
  }
  mul(a: Real, b: Real): Real {
    return this.on('mul', a, b);
  }
  div(a: Real, b: Real): Real {
    return this.on('div', a, b);
  }
  neg(a: Real): Real {
    return this.on('neg', a);
  }
  abs(a: Real): Real {
    return this.on('abs', a);
  }
  sqrt(a: Real): Real {
    return this.on('sqrt', a);
  }
  floor(a: Real): Real {
    return this.on('floor', a);
  }
  nearest(a: Real): Real {
    return this.on('nearest', a);
  }

  lt(a: Real, b: Real): Mask {
    return this.on('lt', a, b);
  }
  le(a: Real, b: Real): Mask {
    return this.on('le', a, b);
  }
  eq(a: Real, b: Real): Mask {
    return this.on('eq', a, b);
  }
  ne(a: Real, b: Real): Mask {
    return this.on('ne', a, b);
  }

  both(a: Mask, b: Mask): Mask {
    return this.vector ? apply('v128.and', a, b) : apply('i32.and', a, b);
  }
  either(a: Mask, b: Mask): Mask {
    return this.vector ? apply('v128.or', a, b) : apply('i32.or', a, b);
  }
  not(a: Mask): Mask {
    return this.vector ? apply('v128.not', a) : apply('i32.eqz', a);
  }

  /** mask ? yes : no, lane by lane. */
  select(mask: Mask, yes: Real, no: Real): Real {
    return this.vector ? apply('v128.bitselect', yes, no, mask) : select(yes, no, mask);
  }

  /** The larger, the second if either is NaN. */
  max(a: Real, b: Real): Real {
    return this.vector ? this.on('pmax', b, a) : select(a, b, this.on('gt', a, b));
  }
  /** The smaller, the second if either is NaN. */
  min(a: Real, b: Real): Real {
    return this.vector ? this.on('pmin', b, a) : select(a, b, this.on('lt', a, b));
  }

  bitsOf(a: Real): Bits {
    if (this.vector) return a;
    return apply(this.double ? 'i64.reinterpret_f64' : 'i32.reinterpret_f32', a);
  }
  fromBits(a: Bits): Real {
    if (this.vector) return a;
    return apply(this.double ? 'f64.reinterpret_i64' : 'f32.reinterpret_i32', a);
  }
  addBits(a: Bits, b: Bits): Bits {
    return this.onBits('add', a, b);
  }
  subBits(a: Bits, b: Bits): Bits {
    return this.onBits('sub', a, b);
  }
  andBits(a: Bits, b: Bits): Bits {
    return this.logic('and', a, b);
  }
  orBits(a: Bits, b: Bits): Bits {
    return this.logic('or', a, b);
  }
  xorBits(a: Bits, b: Bits): Bits {
    return this.logic('xor', a, b);
  }
  shiftLeft(a: Bits, places: number): Bits {
    return this.onBits('shl', a, this.places(places));
  }
  shiftRight(a: Bits, places: number): Bits {
    return this.onBits('shr_u', a, this.places(places));
  }

  private places(places: number): Expression {
    return this.shape === 'f64' ? i64(BigInt(places)) : i32(places);
  }

  /** The sign bit of a, as a number: ±0. */
  signOf(a: Real): Real {
    if (this.vector) return apply('v128.and', a, this.real(-0));
    return this.on('copysign', this.real(0), a);
  }
  /** |a| with the sign of b. */
  withSign(a: Real, b: Real): Real {
    if (!this.vector) return this.on('copysign', a, b);
    return apply('v128.or', apply('v128.andnot', a, this.real(-0)), this.signOf(b));
  }
  /** a with the sign of b multiplied in. */
  flippedBy(a: Real, signs: Real): Real {
    return this.fromBits(this.xorBits(this.bitsOf(a), this.bitsOf(signs)));
  }

  /** a times -1 to the power of the lowest bit of b. */
  withSignBit(a: Real, b: Real): Real {
    return this.flippedBy(a, this.fromBits(this.shiftLeft(this.bitsOf(b), this.double ? 63 : 31)));
  }

  /** Statements for when any lane of the mask is set. */
  ifAny(mask: Mask, write: () => void, otherwise?: () => void): void {
    this.f.if(this.vector ? apply('v128.any_true', mask) : mask, write, otherwise);
  }

  variable(value: Expression): Local {
    return this.f.keep(value);
  }
  set(local: Local, value: Expression): void {
    this.f.set(local, value);
  }

  /** Σ cₖxᵏ by Estrin's scheme: pairs, then pairs of pairs. As deep as the logarithm of the degree, so lanes keep busy. */
  polynomial(x: Real, coefficients: readonly number[], square?: Real): Real {
    let power = x;
    let terms = coefficients.map((c) => this.real(c));
    for (let next = square; terms.length > 1; next = undefined) {
      const by = power;
      const pairs = terms.filter((_, k) => k % 2 === 0);
      const odd = terms.filter((_, k) => k % 2 === 1);
      terms = pairs.map((even, k) => (odd[k] ? this.add(even, this.mul(odd[k], by)) : even));
      if (terms.length > 1) power = next ?? this.keep(this.mul(by, by));
    }
    return terms[0]!;
  }

  /** Σ cₖxᵏ from the highest power down. */
  horner(x: Real, coefficients: readonly number[]): Real {
    return coefficients.map((c) => this.real(c)).reduceRight((sum, c) => this.add(this.mul(sum, x), c));
  }

  /** The elementary function, called in this shape. */
  call(operation: ElementaryOperation, ...operands: Real[]): Real {
    return call(this.library.functionOf(operation, this.shape), ...operands);
  }

  /** `one` on each lane by itself. */
  eachLane(one: (scalar: Algebra, ...operands: Real[]) => Real, ...operands: Real[]): Real {
    if (!this.vector) return one(this, ...operands);
    const [shape, lanes] = this.double ? (['f64', 2] as const) : (['f32', 4] as const);
    const scalar = new Algebra(this.f, shape, this.library);
    const vector = this.shape as 'f64x2' | 'f32x4';
    const result = this.variable(operands[0]!);
    for (let lane = 0; lane < lanes; lane++) {
      const own = operands.map((operand) => this.keep(onLane(`${vector}.extract_lane`, lane, operand)));
      this.set(result, onLane(`${vector}.replace_lane`, lane, get(result), one(scalar, ...own)));
    }
    return get(result);
  }

  /** f32 computed in f64: two vectors for one. */
  throughDouble(compute: (double: Algebra, ...operands: Real[]) => Real, ...operands: Real[]): Real {
    const double = new Algebra(this.f, this.vector ? 'f64x2' : 'f64', this.library);
    if (!this.vector) {
      const promoted = operands.map((x) => this.keep(apply('f64.promote_f32', x)));
      return apply('f32.demote_f64', compute(double, ...promoted));
    }
    const halfOf = (half: (x: Real) => Real) => {
      const promoted = operands.map((x) => this.keep(apply('f64x2.promote_low_f32x4', half(x))));
      return this.keep(apply('f32x4.demote_f64x2_zero', compute(double, ...promoted)));
    };
    const first = halfOf((x) => x);
    const second = halfOf((x) => shuffle(x, x, [...high, ...high]));
    return shuffle(first, second, [...low, ...low.map((byte) => byte + 16)]);
  }
}
