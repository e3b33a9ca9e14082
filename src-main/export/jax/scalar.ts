/** Scalar functions as Python over whole arrays: NumPy's broadcasting does what a domain does. */
import {
  readsOf,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarOperand,
  type ScalarOperation,
} from '../../../engine/index.ts';
import type { Identifiers } from '../identifiers.ts';

/** How tightly an expression's outermost operator binds; what binds less is put in parentheses. */
const level = { comparison: 0, sum: 1, product: 2, minus: 3, power: 4, atom: 5 } as const;

interface Expression {
  readonly text: string;
  readonly level: number;
}

const atom = (text: string): Expression => ({ text, level: level.atom });
const within = (e: Expression, least: number): string => (e.level < least ? `(${e.text})` : e.text);

const infix =
  (symbol: string, at: number) =>
  (a: Expression, b: Expression): Expression => ({
    text: `${within(a, at === level.comparison ? at + 1 : at)} ${symbol} ${within(b, at + 1)}`,
    level: at,
  });

const call =
  (name: string) =>
  (...operands: Expression[]): Expression =>
    atom(`${name}(${operands.map(({ text }) => text).join(', ')})`);

/** Selecting, so that a tie's derivative is the first operand's alone; `jnp.minimum` would share it. */
const operations: { [Op in ScalarOperation]: (...operands: Expression[]) => Expression } = {
  neg: (x = atom('')) => ({ text: `-${within(x, level.minus)}`, level: level.minus }),
  abs: call('_abs'),
  sign: call('jnp.sign'),
  add: infix('+', level.sum),
  sub: infix('-', level.sum),
  mul: infix('*', level.product),
  div: infix('/', level.product),
  mod: call('_mod'),
  pow: call('_pow'),
  min: call('_min'),
  max: call('_max'),
  clamp: (x = atom(''), low = atom(''), high = atom('')) => atom(`_min(_max(${x.text}, ${low.text}), ${high.text})`),
  exp: call('jnp.exp'),
  exp2: call('jnp.exp2'),
  expm1: call('_expm1'),
  log: call('jnp.log'),
  log2: call('jnp.log2'),
  log10: call('jnp.log10'),
  log1p: call('jnp.log1p'),
  sqrt: call('jnp.sqrt'),
  cbrt: call('jnp.cbrt'),
  hypot: call('_hypot'),
  sin: call('jnp.sin'),
  cos: call('jnp.cos'),
  tan: call('jnp.tan'),
  asin: call('jnp.arcsin'),
  acos: call('jnp.arccos'),
  atan: call('jnp.arctan'),
  atan2: call('_atan2'),
  sinh: call('jnp.sinh'),
  cosh: call('jnp.cosh'),
  tanh: call('_tanh'),
  floor: call('jnp.floor'),
  ceil: call('jnp.ceil'),
  round: call('jnp.round'),
  trunc: call('jnp.trunc'),
  detach: call('jax.lax.stop_gradient'),
  mantissa: call('_mantissa'),
  exponent: call('_exponent'),
  scale: call('_scale'),
  erf: call('jax.scipy.special.erf'),
  erfc: call('jax.scipy.special.erfc'),
  lgamma: call('_lgamma'),
  digamma: call('_digamma'),
  polygamma: call('_polygamma'),
  xlogy: call('_xlogy'),
  logistic: call('_logistic'),
  logaddexp: call('_logaddexp'),
  lt: infix('<', level.comparison),
  le: infix('<=', level.comparison),
  eq: infix('==', level.comparison),
  ne: infix('!=', level.comparison),
  and: call('jnp.logical_and'),
  or: call('jnp.logical_or'),
  not: call('jnp.logical_not'),
  isnan: call('jnp.isnan'),
  real: call('_real'),
  int: call('_int'),
};

/** Their derivatives read no operand's value, so that even of a NaN a branch that is not taken has derivative 0. */
const linear: ReadonlySet<ScalarOperation> = new Set([
  ...(['neg', 'add', 'sub', 'min', 'max', 'clamp', 'floor', 'ceil', 'round', 'trunc'] as const),
  ...(['lt', 'le', 'eq', 'ne', 'and', 'or', 'not', 'isnan', 'real', 'int'] as const),
]);

export function pythonNumber(value: number): string {
  if (Number.isNaN(value)) return 'jnp.nan';
  if (!Number.isFinite(value)) return value > 0 ? 'jnp.inf' : '-jnp.inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

/** Weakly typed beside an array. */
function literal({ type, value }: { type: string; value: number }): Expression {
  const text =
    type === 'bool' ? (value === 0 ? 'False' : 'True') : type === 'int' ? String(value) : pythonNumber(value);
  return text.startsWith('-') ? { text, level: level.minus } : atom(text);
}

const strict = { real: 'jnp.float64', int: 'jnp.int32', bool: 'jnp.bool_' } as const;

/** A literal that has its type by itself. */
export function typedLiteral(operand: { readonly type: 'real' | 'int' | 'bool'; readonly value: number }): string {
  return `${strict[operand.type]}(${literal(operand).text})`;
}

const isLinear = (block: ScalarBlock): boolean =>
  block.statements.every((statement) => statement.kind === 'apply' && linear.has(statement.operation));

export interface Written {
  /** Statements of Python, without indentation at the outermost. */
  readonly lines: readonly string[];
  /** An expression for each result; a literal has its type. */
  readonly results: readonly string[];
}

/** The body of a function on these arguments. What is used once stands where it is used. */
export function writeScalar(
  fn: ScalarFunction,
  args: readonly string[],
  scope: { readonly names: Identifiers; readonly stem: string },
): Written {
  const known = new Map(fn.parameters.map(({ id }, i) => [id, atom(args[i]!)] as const));
  return writeBlock(fn.body, known, scope);
}

function writeBlock(
  block: ScalarBlock,
  outside: ReadonlyMap<number, Expression>,
  scope: { readonly names: Identifiers; readonly stem: string },
): Written {
  const { names, stem } = scope;
  const known = new Map(outside);
  const reads = readsOf(block);
  const given = new Set(block.results.flatMap((result) => (result.kind === 'variable' ? [result.id] : [])));
  const lines: string[] = [];
  const operandOf = (operand: ScalarOperand): Expression =>
    operand.kind === 'literal' ? literal(operand) : known.get(operand.id)!;
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      const value = applied(operation, operands, operandOf);
      const short = value.text.length < 90 || given.has(result.id);
      if ((reads.get(result.id) ?? 0) <= 1 && short) known.set(result.id, value);
      else {
        const name = names.take(`${stem}_${operation}`);
        lines.push(`${name} = ${value.text}`);
        known.set(result.id, atom(name));
      }
      continue;
    }
    const condition = operandOf(statement.condition).text;
    const targets = statement.results.map(() => names.take(`${stem}_if`));
    statement.results.forEach((result, i) => known.set(result.id, atom(targets[i]!)));
    if (isLinear(statement.then) && isLinear(statement.else)) {
      const [then, otherwise] = [statement.then, statement.else].map((branch) => writeBlock(branch, known, scope));
      lines.push(...(then?.lines ?? []), ...(otherwise?.lines ?? []));
      targets.forEach((target, i) =>
        lines.push(`${target} = jnp.where(${condition}, ${then?.results[i]}, ${otherwise?.results[i]})`),
      );
      continue;
    }
    const reading = [...new Set([...readsOf(statement.then).keys(), ...readsOf(statement.else).keys()])].filter((id) =>
      known.has(id),
    );
    const branches = [statement.then, statement.else].map((branch, i) => {
      const inner = names.inner();
      const parameters = reading.map((_, j) => inner.take(`x${j}`));
      const inside = new Map(reading.map((id, j) => [id, atom(parameters[j]!)] as const));
      const body = writeBlock(branch, inside, { names: inner, stem });
      const name = names.take(`${stem}_${i === 0 ? 'then' : 'else'}`);
      lines.push(...definition(name, parameters, body));
      return name;
    });
    const operands = reading.map((id) => known.get(id)!.text);
    lines.push(`${targets.join(', ')}, = _if(${[condition, ...branches, ...operands].join(', ')})`);
  }
  const results = block.results.map((result) =>
    result.kind === 'literal' ? typedLiteral(result) : operandOf(result).text,
  );
  return { lines, results };
}

function applied(
  operation: ScalarOperation,
  operands: readonly ScalarOperand[],
  operandOf: (operand: ScalarOperand) => Expression,
): Expression {
  const [base, exponent] = operands;
  // An integer exponent is a product to JAX, with a derivative at 0 and below.
  if (operation === 'pow' && base?.kind === 'variable' && exponent?.kind === 'literal' && isSmallWhole(exponent.value))
    return { text: `${within(operandOf(base), level.atom)} ** ${exponent.value}`, level: level.power };
  if (
    operation === 'pow' &&
    base?.kind === 'variable' &&
    exponent?.kind === 'literal' &&
    Number.isFinite(exponent.value)
  )
    return call('jnp.power')(operandOf(base), operandOf(exponent));
  // Python's own numbers would raise where arrays give infinity.
  const constant = operands.every(({ kind }) => kind === 'literal');
  const expressions = operands.map((operand) =>
    constant && operand.kind === 'literal' ? atom(typedLiteral(operand)) : operandOf(operand),
  );
  return operations[operation](...expressions);
}

const isSmallWhole = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 16;

/** `def name(parameters): …` that returns a tuple. */
export function definition(name: string, parameters: readonly string[], { lines, results }: Written): string[] {
  return [
    `def ${name}(${parameters.join(', ')}):`,
    ...lines.map((line) => `    ${line}`),
    `    return (${results.join(', ')}${results.length === 1 ? ',' : ''})`,
  ];
}
