/**
 * x = h·π/2 + r with a whole number h, r in two parts.
 *
 * Up to `withinReach` by Cody and Waite: π/2 in four parts, of which the first three times h are exact, so that r keeps all
 * its bits however much cancels (x is never nearer to a multiple of π/2 than about 2⁻⁶⁰, single: 2⁻³⁰). Beyond, one lane at
 * a time, by Payne and Hanek (SIGNUM Newsletter 18, 1983): x·2/π modulo 4 from those bits of 2/π that matter.
 */
import { apply, get, i64, i32, select, type Expression, type Local } from '../wasm/expression.ts';
import type { Algebra } from './algebra.ts';
import { twoProduct } from './double-double.ts';

export interface Turns {
  readonly high: Expression;
  readonly low: Expression;
}

const partsDouble = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;
const partsSingle = [1.570770263671875, 2.6063062250614166e-5, 6.077094383272197e-11, 6.123233995736766e-17] as const;

/** The largest |x| for `takeTurns`: h then has 20 bits, in single precision 8. */
export function withinReach(A: Algebra): Expression {
  return A.per(1e6, 400);
}

/** x - h·π/2 */
export function takeTurns(A: Algebra, x: Expression, h: Expression): Turns {
  const [p1, p2, p3, p4] = A.double ? partsDouble : partsSingle;
  const first = A.keep(A.sub(x, A.mul(h, A.real(p1))));
  const second = subtract(A, first, A.keep(A.mul(h, A.real(p2))));
  const third = subtract(A, second.difference, A.keep(A.mul(h, A.real(p3))));
  const tail = A.keep(A.sub(A.add(second.lost, third.lost), A.mul(h, A.real(p4))));
  const high = A.keep(A.add(third.difference, tail));
  return { high, low: A.keep(A.add(A.sub(third.difference, high), tail)) };
}

/** Where b is the larger of two, the difference is small enough to be exact. */
function subtract(A: Algebra, a: Expression, b: Expression) {
  const difference = A.keep(A.sub(a, b));
  return { difference, lost: A.keep(A.sub(A.sub(a, difference), b)) };
}

/** The bits of 2/π after the point, 24 in each. */
const twoOverPi = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb, 0xc561b7,
  0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5, 0x2ebb44, 0x84e99c,
  0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8, 0x97ffde, 0x05980f, 0xef2f11,
  0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d, 0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7,
  0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330, 0x46fc7b, 0x6babf0, 0xcfbc20,
];

const i64s = {
  and: (a: Expression, b: bigint) => apply('i64.and', a, i64(b)),
  left: (a: Expression, b: number) => apply('i64.shl', a, i64(BigInt(b))),
  right: (a: Expression, b: number) => apply('i64.shr_u', a, i64(BigInt(b))),
  add: (a: Expression, b: Expression) => apply('i64.add', a, b),
  mul: (a: Expression, b: Expression) => apply('i64.mul', a, b),
};

/** In f64, for finite |x| ≥ 2⁶: |x| modulo 2π as a quadrant (an i32 from 0 to 3) and r within ±π/4. */
export function takeManyTurns(A: Algebra, x: Expression): Turns & { readonly quadrant: Expression } {
  const { f } = A;
  const bits = A.keep(i64s.and(apply('i64.reinterpret_f64', x), 0x7fffffffffffffffn));
  const significand = A.keep(apply('i64.or', i64s.and(bits, 0xfffffffffffffn), i64(1n << 52n)));
  const factors = [0, 24, 48].map((places) => A.keep(i64s.and(i64s.right(significand, places), 0xffffffn)));
  // |x| = significand·2ᵉ. Bits of 2/π heavier than 4·2⁻ᵉ make multiples of 4: the window starts after e - 2 of them, or
  // after e + 46 where 48 zeros stand before the point.
  const exponent = apply('i32.wrap_i64', i64s.right(bits, 52));
  const start = A.keep(apply('i32.add', exponent, i32(46 - 1075)));
  const word = f.keep(apply('i32.add', apply('i32.div_u', start, i32(24)), i32(LIMBS)));
  const shift = A.keep(apply('i64.extend_i32_u', apply('i32.sub', i32(24), apply('i32.rem_u', start, i32(24)))));
  const left = f.keep(i32(LIMBS));
  const own = f.keep(i64(0n));
  const below = f.keep(i64(0n));
  findWord(A, word, below);
  const [limb, limbBefore, carry] = [f.keep(i64(0n)), f.keep(i64(0n)), f.keep(i64(0n))];
  const limbTwoBefore = f.keep(i64(0n));
  const product = Array.from({ length: 6 }, () => f.keep(i64(0n)));
  f.loop((repeat) => {
    f.increase(word, i32(-1));
    findWord(A, word, own);
    f.set(limbTwoBefore, get(limbBefore));
    f.set(limbBefore, get(limb));
    const pair = apply('i64.or', i64s.left(get(own), 24), get(below));
    f.set(limb, i64s.and(apply('i64.shr_u', pair, shift), 0xffffffn));
    f.set(below, get(own));
    [limb, limbBefore, limbTwoBefore].forEach((w, i) => {
      f.set(carry, i64s.add(get(carry), i64s.mul(factors[i]!, get(w))));
    });
    product.slice(0, -1).forEach((local, i) => f.set(local, get(product[i + 1]!)));
    f.set(product[5]!, i64s.and(get(carry), 0xffffffn));
    f.set(carry, i64s.right(get(carry), 24));
    f.increase(left, i32(-1));
    f.branchIf(repeat, get(left));
  });
  const pairs = [4, 2, 0].map((i) => {
    const [lower, upper] = [product[i], product[i + 1]] as [Local, Local];
    return A.keep(apply('i64.or', i64s.left(get(upper), 24), get(lower)));
  }) as [Expression, Expression, Expression];
  const nearest = A.keep(i64s.right(i64s.add(pairs[0], i64(1n << 45n)), 46));
  const first = apply('i64.sub', pairs[0], i64s.left(nearest, 46));
  const [a, b, c] = [first, pairs[1], pairs[2]].map((part, i) =>
    A.keep(A.mul(apply('f64.convert_i64_s', part), A.real(2 ** (-46 - 48 * i)))),
  ) as [Expression, Expression, Expression];
  const sum = A.keep(A.add(a, b));
  const rest = A.keep(A.add(A.sub(b, A.sub(sum, a)), c));
  const turn = twoProduct(A, sum, A.real(Math.PI / 2));
  const small = A.add(turn.low, A.add(A.mul(sum, A.real(6.123233995736766e-17)), A.mul(rest, A.real(Math.PI / 2))));
  const tail = A.keep(small);
  const high = A.keep(A.add(turn.high, tail));
  const low = A.keep(A.add(A.sub(turn.high, high), tail));
  return { high, low, quadrant: A.keep(apply('i32.and', apply('i32.wrap_i64', nearest), i32(3))) };
}

/** Of the product, limbs below the sixth only carry. */
const LIMBS = 9;

/** local = the word at this index, where two words of zeros stand in front; by halving. */
function findWord(A: Algebra, index: Local, local: Local): void {
  const words = [0, 0, ...twoOverPi];
  const search = (from: number, to: number): void => {
    if (to - from === 1) {
      A.f.set(local, i64(BigInt(words[from]!)));
      return;
    }
    const middle = (from + to) >> 1;
    A.f.if(
      apply('i32.lt_u', get(index), i32(middle)),
      () => search(from, middle),
      () => search(middle, to),
    );
  };
  search(0, words.length);
}

/** One of four by a quadrant. */
export function byQuadrant(
  quadrant: Expression,
  options: readonly [Expression, Expression, Expression, Expression],
): Expression {
  const [a, b, c, d] = options;
  const odd = apply('i32.and', quadrant, i32(1));
  return select(select(d, c, odd), select(b, a, odd), apply('i32.and', quadrant, i32(2)));
}
