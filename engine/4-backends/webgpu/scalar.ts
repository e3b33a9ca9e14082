/** Scalar functions as WGSL. */
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import {
  resultTypes,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarLiteral,
  type ScalarOperand,
} from '../../0-ir/scalar.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { f32Literal, i32Literal, wgslType } from './scalar/literal.ts';
import type { PreambleName } from './scalar/preamble.ts';

/** Marks a preamble function as used; its name. */
export type Use = (name: PreambleName) => string;

type Emit = (use: Use, operands: readonly string[], type: ElementType) => string;

const infix =
  (operator: string): Emit =>
  (_, [x, y]) =>
    `${x} ${operator} ${y}`;
const call =
  (name: PreambleName): Emit =>
  (use, operands) =>
    `${use(name)}(${operands.join(', ')})`;
const byType =
  (real: PreambleName, int: PreambleName): Emit =>
  (use, operands, type) =>
    call(type === 'int' ? int : real)(use, operands, type);
/** WGSL's own function, where it says all that is needed. */
const builtin =
  (name: string): Emit =>
  (_, operands) =>
    `${name}(${operands.join(', ')})`;
const comparison =
  (real: PreambleName, operator: string): Emit =>
  (use, operands, type) =>
    (type === 'real' ? call(real) : infix(operator))(use, operands, type);

/** One entry an operation; the operands are names or literals. */
const operations: { [Op in ScalarOperation]: Emit } = {
  neg: (_, [x]) => `-${x}`,
  abs: builtin('abs'),
  sign: (use, operands, type) => (type === 'int' ? builtin('sign') : call('sign_f32'))(use, operands, type),
  add: infix('+'),
  sub: infix('-'),
  mul: infix('*'),
  div: infix('/'),
  mod: byType('mod_f32', 'mod_i32'),
  pow: call('pow_f32'),
  min: byType('min_f32', 'min_i32'),
  max: byType('max_f32', 'max_i32'),
  clamp: byType('clamp_f32', 'clamp_i32'),

  exp: call('exp_f32'),
  exp2: call('exp2_f32'),
  expm1: call('expm1_f32'),
  log: call('log_f32'),
  log2: call('log2_f32'),
  log10: call('log10_f32'),
  log1p: call('log1p_f32'),
  sqrt: call('sqrt_f32'),
  cbrt: call('cbrt_f32'),
  hypot: call('hypot_f32'),
  sin: call('sin_f32'),
  cos: call('cos_f32'),
  tan: call('tan_f32'),
  asin: call('asin_f32'),
  acos: call('acos_f32'),
  atan: call('atan_f32'),
  atan2: call('atan2_f32'),
  sinh: call('sinh_f32'),
  cosh: call('cosh_f32'),
  tanh: call('tanh_f32'),
  floor: builtin('floor'),
  ceil: builtin('ceil'),
  round: call('round_f32'),
  trunc: builtin('trunc'),
  detach: (_, [x = '']) => x,
  mantissa: call('mantissa_f32'),
  exponent: call('exponent_f32'),
  scale: call('scale_f32'),
  erf: call('erf_f32'),
  erfc: call('erfc_f32'),
  lgamma: call('lgamma_f32'),
  digamma: call('digamma_f32'),
  polygamma: call('polygamma_f32'),
  xlogy: call('xlogy_f32'),
  logistic: call('logistic_f32'),
  logaddexp: call('logaddexp_f32'),

  lt: comparison('lt_f32', '<'),
  le: comparison('le_f32', '<='),
  eq: comparison('eq_f32', '=='),
  ne: (use, operands, type) =>
    type === 'real' ? `!${call('eq_f32')(use, operands, type)}` : infix('!=')(use, operands, type),
  and: infix('&&'),
  or: infix('||'),
  not: (_, [x]) => `!${x}`,
  isnan: call('is_nan'),
  real: (_, [x], type) => (type === 'bool' ? `select(0.0, 1.0, ${x})` : `f32(${x})`),
  int: (use, operands, type) =>
    type === 'bool' ? `select(0i, 1i, ${operands[0]})` : call('int_f32')(use, operands, type),
};

/**
 * Compilers take 0·x and 0/x for 0, which they are not where x is infinite, NaN or 0, and find the zero behind calls and
 * branches too: no zero is written for them to see.
 */
export function literalText(use: Use, { type, value }: Pick<ScalarLiteral, 'type' | 'value'>): string {
  if (type === 'bool') return value === 0 ? 'false' : 'true';
  if (type === 'int') return i32Literal(value);
  const single = Math.fround(value);
  if (Number.isNaN(single)) return `${use('nan')}()`;
  if (single === 0) return Object.is(single, 0) ? `${use('zero')}()` : `(-${use('zero')}())`;
  if (Number.isFinite(single)) return f32Literal(single);
  return single > 0 ? `${use('infinity')}()` : `(-${use('infinity')}())`;
}

const comparisons: readonly ScalarOperation[] = ['lt', 'le', 'eq', 'ne'];

/** Compilers also take x - x for 0 and x / x for 1, which they are not where x is infinite or NaN, or 0. */
const ofItself: { readonly [Op in ScalarOperation]?: PreambleName } = { sub: 'self_difference', div: 'self_quotient' };

function ofItselfName(
  operation: ScalarOperation,
  [x, y]: readonly ScalarOperand[],
  type: ElementType,
): PreambleName | undefined {
  if (type !== 'real' || !x || !y) return undefined;
  const same =
    x.kind === 'literal' ? y.kind === 'literal' && x.value === y.value : y.kind !== 'literal' && x.id === y.id;
  return same ? ofItself[operation] : undefined;
}

/** A zero that is only compared may be seen. */
function comparedText(operation: ScalarOperation, operand: ScalarOperand): string | undefined {
  if (operand.kind !== 'literal' || operand.type !== 'real' || operand.value !== 0) return undefined;
  return comparisons.includes(operation) ? f32Literal(operand.value) : undefined;
}

/** A WGSL function of that name; with more than one result it returns a struct `NAME_results` of r0, r1, …. */
export function scalarFunctionText(name: string, fn: ScalarFunction, use: Use): string {
  const types = resultTypes(fn).map(wgslType);
  const several = types.length !== 1;
  const returned = several ? `${name}_results` : types[0];
  // A struct must have a member; a function without results is one whose results nobody wants.
  const members = types.length === 0 ? ['nothing: bool'] : types.map((type, i) => `r${i}: ${type}`);
  const struct = several ? `struct ${returned} { ${members.join(', ')} }\n` : '';
  const parameters = fn.parameters.map(({ id, type }) => `v${id}: ${wgslType(type)}`).join(', ');
  const { lines, results } = scalarBodyText(fn, use);
  const value = several ? `${returned}(${results.join(', ')})` : results[0];
  return `${struct}fn ${name}(${parameters}) -> ${returned} {\n${lines.join('\n')}\n  return ${value};\n}`;
}

/** What the body does, where its parameters are `v…` by their ids; `opening`: lines that a block of it begins with. */
export function scalarBodyText(
  { body }: ScalarFunction,
  use: Use,
  opening: (block: ScalarBlock) => readonly string[] = () => [],
): { lines: string[]; results: string[] } {
  const lines: string[] = [];
  const results = writeBlock(body, { use, opening }, lines, '  ');
  return { lines, results };
}

interface Writing {
  readonly use: Use;
  readonly opening: (block: ScalarBlock) => readonly string[];
}

/** The block's statements as lines; its results. */
function writeBlock(block: ScalarBlock, writing: Writing, lines: string[], indent: string): string[] {
  const { use, opening } = writing;
  for (const line of opening(block)) lines.push(`${indent}${line}`);
  const text = (operand: ScalarOperand): string =>
    operand.kind === 'literal' ? literalText(use, operand) : `v${operand.id}`;
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      const texts = operands.map((operand) => comparedText(operation, operand) ?? text(operand));
      // WGSL refuses a constant expression that overflows; a `let` is none. What comes of it may be zero, so hide it.
      if (operands.every((operand) => operand.kind === 'literal'))
        texts.forEach((literal, i) => {
          const hidden = operands[i]?.type === 'real' ? `${use('hidden')}(${literal})` : literal;
          lines.push(`${indent}let v${result.id}_${i} = ${hidden};`);
          texts[i] = `v${result.id}_${i}`;
        });
      const type = operands[0]?.type ?? 'real';
      const alone = ofItselfName(operation, operands, type);
      const value = alone ? `${use(alone)}(${texts[0]})` : operations[operation](use, texts, type);
      lines.push(`${indent}let v${result.id} = ${value};`);
    } else {
      for (const { id, type } of statement.results) lines.push(`${indent}var v${id}: ${wgslType(type)};`);
      const branch = (inner: ScalarBlock): void => {
        const values = writeBlock(inner, writing, lines, `${indent}  `);
        statement.results.forEach(({ id }, i) => lines.push(`${indent}  v${id} = ${values[i]};`));
      };
      lines.push(`${indent}if (${text(statement.condition)}) {`);
      branch(statement.then);
      lines.push(`${indent}} else {`);
      branch(statement.else);
      lines.push(`${indent}}`);
    }
  }
  return block.results.map(text);
}
