/**
 * A scalar function of ranges: between what its results lie when arguments lie between a low and a high (Moore,
 * Interval Analysis, 1966), but for rounding. A range may be wider than it had to be: an argument that is used twice is
 * taken to be two.
 *
 * A condition is a range too: whether it surely and whether it possibly holds.
 */
import {
  realLiteral,
  scalarFunction,
  type ScalarBlock,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
  type ScalarOperation,
} from '../../../../engine/index.ts';

interface Range {
  readonly low: ScalarOperand;
  readonly high: ScalarOperand;
}

type Rule = (s: ScalarBuilder, ranges: readonly Range[], operands: readonly ScalarOperand[]) => Range;

/** (x…, y… for each `wide` x) ↦ (low, high)… of the results, x ≤ y. Undefined where an operation of a range is not known. */
export function enclosing(fn: ScalarFunction, wide: readonly boolean[]): ScalarFunction | undefined {
  const types = fn.parameters.map(({ type }) => type);
  let known = true;
  const found = scalarFunction([...types, ...types.filter((_, i) => wide[i])], (s, ...operands) => {
    const ranges = new Map<number, Range>();
    let next = types.length;
    fn.parameters.forEach(({ id }, i) => {
      const low = operands[i] as ScalarOperand;
      ranges.set(id, { low, high: wide[i] ? (operands[next++] as ScalarOperand) : low });
    });
    known = write(s, fn.body, ranges);
    return fn.body.results.map((each) => rangeOf(ranges, each)).flatMap(({ low, high }) => [low, high]);
  });
  return known ? found : undefined;
}

const rangeOf = (ranges: ReadonlyMap<number, Range>, operand: ScalarOperand): Range =>
  (operand.kind === 'variable' && ranges.get(operand.id)) || { low: operand, high: operand };

const isPoint = ({ low, high }: Range): boolean => low === high;
const point = (x: ScalarOperand): Range => ({ low: x, high: x });

/** Whether every operation of a range was known. */
function write(s: ScalarBuilder, block: ScalarBlock, ranges: Map<number, Range>): boolean {
  let known = true;
  for (const statement of block.statements) {
    if (statement.kind === 'if') {
      const condition = rangeOf(ranges, statement.condition);
      known = write(s, statement.then, ranges) && write(s, statement.else, ranges) && known;
      const [yes, no] = [statement.then, statement.else].map(({ results }) =>
        results.map((each) => rangeOf(ranges, each)),
      ) as [Range[], Range[]];
      statement.results.forEach(({ id }, i) => ranges.set(id, eitherOf(s, condition, yes[i]!, no[i]!)));
      continue;
    }
    const { operation, operands, result } = statement;
    const given = operands.map((each) => rangeOf(ranges, each));
    const rule = rules[operation];
    if (given.every(isPoint)) ranges.set(result.id, point(s.apply(operation, ...given.map(({ low }) => low))));
    else if (rule && operands[0]?.type !== 'int') ranges.set(result.id, rule(s, given, operands));
    else {
      known = false;
      ranges.set(result.id, point(s.apply(operation, ...given.map(({ low }) => low))));
    }
  }
  return known;
}

function eitherOf(s: ScalarBuilder, condition: Range, yes: Range, no: Range): Range {
  const pick = (which: ScalarOperand, a: ScalarOperand, b: ScalarOperand): ScalarOperand =>
    s.either(
      which,
      () => a,
      () => b,
    );
  if (isPoint(condition)) {
    const low = pick(condition.low, yes.low, no.low);
    return isPoint(yes) && isPoint(no) ? point(low) : { low, high: pick(condition.low, yes.high, no.high) };
  }
  const join = (a: ScalarOperand, b: ScalarOperand, lower: boolean): ScalarOperand => {
    if (a.type === 'bool') return s.apply(lower ? 'and' : 'or', a, b);
    return s.apply(lower ? 'min' : 'max', a, b);
  };
  const side = (end: 'low' | 'high'): ScalarOperand =>
    pick(condition.low, yes[end], pick(condition.high, join(yes[end], no[end], end === 'low'), no[end]));
  return { low: side('low'), high: side('high') };
}

const least = (s: ScalarBuilder, all: readonly ScalarOperand[]): ScalarOperand =>
  all.reduce((a, b) => s.apply('min', a, b));
const most = (s: ScalarBuilder, all: readonly ScalarOperand[]): ScalarOperand =>
  all.reduce((a, b) => s.apply('max', a, b));
const spanned = (s: ScalarBuilder, all: readonly ScalarOperand[]): Range => ({
  low: least(s, all),
  high: most(s, all),
});

const rising =
  (operation: ScalarOperation): Rule =>
  (s, ranges) => ({
    low: s.apply(operation, ...ranges.map(({ low }) => low)),
    high: s.apply(operation, ...ranges.map(({ high }) => high)),
  });

const falling =
  (operation: ScalarOperation): Rule =>
  (s, [x]) => ({ low: s.apply(operation, x!.high), high: s.apply(operation, x!.low) });

/** Operations of one operand that fall up to 0, and rise from there on. */
const even =
  (operation: ScalarOperation): Rule =>
  (s, [x]) => {
    const size = sizeOf(s, x!);
    return { low: s.apply(operation, size.low), high: s.apply(operation, size.high) };
  };

function sizeOf(s: ScalarBuilder, { low, high }: Range): Range {
  const zero = realLiteral(0);
  return {
    low: most(s, [zero, low, s.apply('neg', high)]),
    high: most(s, [s.apply('neg', low), high]),
  };
}

const corners =
  (operation: ScalarOperation): Rule =>
  (s, [a, b]) =>
    spanned(
      s,
      [a!.low, a!.high].flatMap((x) => [b!.low, b!.high].map((y) => s.apply(operation, x, y))),
    );

/** A range where a condition holds, and else all there is. */
function only(s: ScalarBuilder, condition: ScalarOperand, { low, high }: Range): Range {
  const or = (x: ScalarOperand, all: number): ScalarOperand =>
    s.either(
      condition,
      () => x,
      () => realLiteral(all),
    );
  return { low: or(low, -Infinity), high: or(high, Infinity) };
}

const same = (a: ScalarOperand | undefined, b: ScalarOperand | undefined): boolean =>
  a?.kind === 'variable' && b?.kind === 'variable' && a.id === b.id;

const multiplied: Rule = (s, ranges, operands) => {
  if (!same(operands[0], operands[1])) return corners('mul')(s, ranges, operands);
  const { low, high } = sizeOf(s, ranges[0]!);
  return { low: s.apply('mul', low, low), high: s.apply('mul', high, high) };
};

const apartFromZero = (s: ScalarBuilder, { low, high }: Range): ScalarOperand =>
  s.apply('or', s.apply('lt', realLiteral(0), low), s.apply('lt', high, realLiteral(0)));

const raised: Rule = (s, ranges, operands) => {
  const [base, exponent] = [ranges[0]!, operands[1]!];
  if (exponent.kind !== 'literal' || !Number.isInteger(exponent.value)) {
    // Below 0 a whole exponent gives what it gives above, with one sign or the other.
    const above = corners('pow')(s, [sizeOf(s, base), ranges[1]!], operands);
    const both = { low: s.apply('neg', above.high), high: above.high };
    return eitherOf(s, point(s.apply('le', realLiteral(0), base.low)), above, both);
  }
  const power = (x: Range): Range => ({ low: s.apply('pow', x.low, exponent), high: s.apply('pow', x.high, exponent) });
  if (exponent.value < 0) return only(s, apartFromZero(s, base), spanned(s, Object.values(power(base))));
  return power(exponent.value % 2 === 0 ? sizeOf(s, base) : base);
};

/** Whether a point a + k·period lies in a range. */
function meets(s: ScalarBuilder, { low, high }: Range, at: number, period: number): ScalarOperand {
  const turns = (x: ScalarOperand): ScalarOperand =>
    s.apply('floor', s.apply('div', s.apply('sub', x, realLiteral(at)), realLiteral(period)));
  return s.apply('lt', turns(low), turns(high));
}

/** Sines and cosines, by where they are highest and lowest. */
const wave =
  (operation: 'sin' | 'cos', top: number, bottom: number): Rule =>
  (s, [x]) => {
    const ends = spanned(s, [s.apply(operation, x!.low), s.apply(operation, x!.high)]);
    const or = (at: number, value: number, end: ScalarOperand): ScalarOperand =>
      s.either(
        meets(s, x!, at, 2 * Math.PI),
        () => realLiteral(value),
        () => end,
      );
    return { low: or(bottom, -1, ends.low), high: or(top, 1, ends.high) };
  };

const flip = (s: ScalarBuilder, { low, high }: Range): Range => ({
  low: s.apply('not', high),
  high: s.apply('not', low),
});
const compared =
  (operation: 'lt' | 'le'): Rule =>
  (s, [a, b]) => ({ low: s.apply(operation, a!.high, b!.low), high: s.apply(operation, a!.low, b!.high) });
/** Of conditions `low` is what holds for sure, `high` what may hold. */
const equal: Rule = (s, [a, b]) => {
  const both = (x: ScalarOperand, y: ScalarOperand): ScalarOperand => s.apply('and', x, y);
  if (a!.low.type === 'bool') {
    const alike = (x: Range, y: Range): ScalarOperand =>
      s.apply('or', both(x.low, y.low), both(s.apply('not', x.high), s.apply('not', y.high)));
    return { low: alike(a!, b!), high: s.apply('not', alike(a!, flip(s, b!))) };
  }
  const never = s.apply('lt', realLiteral(1), realLiteral(0));
  return { low: never, high: s.apply('and', s.apply('le', a!.low, b!.high), s.apply('le', b!.low, a!.high)) };
};

/** Undefined: not known. */
const rules: { readonly [P in ScalarOperation]: Rule | undefined } = {
  neg: falling('neg'),
  abs: (s, [x]) => sizeOf(s, x!),
  sign: rising('sign'),
  add: rising('add'),
  sub: (s, [a, b]) => ({ low: s.apply('sub', a!.low, b!.high), high: s.apply('sub', a!.high, b!.low) }),
  mul: multiplied,
  div: (s, ranges, operands) => only(s, apartFromZero(s, ranges[1]!), corners('div')(s, ranges, operands)),
  mod: (s, [a, b]) => {
    if (!isPoint(b!)) return { low: realLiteral(-Infinity), high: realLiteral(Infinity) };
    const turns = (x: ScalarOperand): ScalarOperand => s.apply('floor', s.apply('div', x, b!.low));
    const within = s.apply('eq', turns(a!.low), turns(a!.high));
    const ends = spanned(s, [s.apply('mod', a!.low, b!.low), s.apply('mod', a!.high, b!.low)]);
    return eitherOf(s, point(within), ends, spanned(s, [realLiteral(0), b!.low]));
  },
  pow: raised,
  min: rising('min'),
  max: rising('max'),
  clamp: rising('clamp'),
  exp: rising('exp'),
  exp2: rising('exp2'),
  expm1: rising('expm1'),
  log: rising('log'),
  log2: rising('log2'),
  log10: rising('log10'),
  log1p: rising('log1p'),
  sqrt: rising('sqrt'),
  cbrt: rising('cbrt'),
  hypot: (s, ranges) =>
    rising('hypot')(
      s,
      ranges.map((x) => sizeOf(s, x)),
      [],
    ),
  sin: wave('sin', Math.PI / 2, -Math.PI / 2),
  cos: wave('cos', 0, Math.PI),
  tan: (s, ranges) => only(s, s.apply('not', meets(s, ranges[0]!, Math.PI / 2, Math.PI)), rising('tan')(s, ranges, [])),
  asin: rising('asin'),
  acos: falling('acos'),
  atan: rising('atan'),
  atan2: undefined,
  sinh: rising('sinh'),
  cosh: even('cosh'),
  tanh: rising('tanh'),
  floor: rising('floor'),
  ceil: rising('ceil'),
  round: rising('round'),
  trunc: rising('trunc'),
  mantissa: undefined,
  exponent: undefined,
  detach: rising('detach'),
  scale: undefined,
  erf: rising('erf'),
  erfc: falling('erfc'),
  lgamma: undefined,
  digamma: undefined,
  polygamma: undefined,
  xlogy: undefined,
  logistic: rising('logistic'),
  logaddexp: rising('logaddexp'),
  lt: compared('lt'),
  le: compared('le'),
  eq: equal,
  ne: (s, ranges) => flip(s, equal(s, ranges, [])),
  and: rising('and'),
  or: rising('or'),
  not: (s, [a]) => flip(s, a!),
  isnan: (s, [a]) => point(s.apply('isnan', s.apply('sub', a!.low, a!.high))),
  real: rising('real'),
  int: undefined,
};
