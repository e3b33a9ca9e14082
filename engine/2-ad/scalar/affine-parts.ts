/**
 * f(c, x) = b(x) + A(x)·c, found by walking f symbolically: sums, differences, products and quotients with what does not
 * depend on c, and `if` whose condition does not. A derivative free of c would not do: floor(c) has one.
 */
import { realLiteral, type ScalarApply, type ScalarBlock, type ScalarIf } from '../../0-ir/scalar.ts';
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { simplifyFunction } from '../../1-optimize/scalar/simplify-function.ts';

export interface AffineParts {
  /** x ↦ b, one for each component of c. */
  readonly offset: ScalarFunction;
  /** x ↦ A, row by row: row i holds the derivatives of component i. */
  readonly matrix: ScalarFunction;
}

/** constant + Σ slopes[j]·cⱼ; an absent part is zero. `undefined` as a whole: not affine in c. */
type Affine =
  { readonly constant?: ScalarOperand; readonly slopes: readonly (ScalarOperand | undefined)[] } | undefined;
type Environment = Map<number, Affine>;

/** c are the first d parameters and f the first d results, all real. Undefined where f is not affine in c. */
export function affineParts(fn: ScalarFunction, d: number): AffineParts | undefined {
  if (fn.parameters.slice(0, d).some(({ type }) => type !== 'real')) return undefined;
  const { parameters, body } = simplifyFunction(fn);
  const rest = parameters.slice(d);
  let isAffine = true;
  const write = (parts: (result: Affine) => ScalarOperand[]): ScalarFunction =>
    scalarFunction(
      rest.map(({ type }) => type),
      (s, ...operands) => {
        const environment: Environment = new Map();
        const unit = (j: number) => Array.from({ length: d }, (_, k) => (k === j ? realLiteral(1) : undefined));
        parameters.slice(0, d).forEach(({ id }, j) => environment.set(id, { slopes: unit(j) }));
        rest.forEach(({ id }, i) => environment.set(id, { constant: operands[i] as ScalarOperand, slopes: [] }));
        walk(s, body, environment);
        const results = body.results.slice(0, d).map((result) => partsOf(environment, result));
        isAffine = results.every((result) => result !== undefined);
        return results.flatMap(parts);
      },
    );
  const zero = realLiteral(0);
  const offset = write((result) => [result?.constant ?? zero]);
  if (!isAffine) return undefined;
  const matrix = write((result) => Array.from({ length: d }, (_, j) => result?.slopes[j] ?? zero));
  return { offset: simplifyFunction(offset), matrix: simplifyFunction(matrix) };
}

const isFree = (affine: Affine): boolean => affine !== undefined && affine.slopes.every((slope) => slope === undefined);

function partsOf(environment: Environment, operand: ScalarOperand): Affine {
  return operand.kind === 'literal' ? { constant: operand, slopes: [] } : environment.get(operand.id);
}

function walk(s: ScalarBuilder, block: ScalarBlock, environment: Environment): void {
  for (const statement of block.statements)
    if (statement.kind === 'apply') environment.set(statement.result.id, apply(s, statement, environment));
    else branch(s, statement, environment);
}

function apply(s: ScalarBuilder, { operation, operands }: ScalarApply, environment: Environment): Affine {
  const parts = operands.map((operand) => partsOf(environment, operand));
  if (parts.every(isFree)) return { constant: s.apply(operation, ...parts.map((part) => part!.constant!)), slopes: [] };
  const [x, y] = parts;
  if (!x || (operands.length > 1 && !y)) return undefined;
  const negative = (part: ScalarOperand): ScalarOperand => s.apply('neg', part);
  switch (operation) {
    case 'neg':
      return eachPart(x, negative);
    case 'add':
      return sum(s, x, y);
    case 'sub':
      return sum(s, x, eachPart(y, negative));
    case 'mul':
      if (isFree(y)) return eachPart(x, (part) => s.apply('mul', part, y!.constant!));
      return isFree(x) ? eachPart(y, (part) => s.apply('mul', x.constant!, part)) : undefined;
    case 'div':
      return isFree(y) ? eachPart(x, (part) => s.apply('div', part, y!.constant!)) : undefined;
    default:
      return undefined;
  }
}

function eachPart(affine: Affine, write: (part: ScalarOperand) => ScalarOperand): Affine {
  return (
    affine && {
      ...(affine.constant && { constant: write(affine.constant) }),
      slopes: affine.slopes.map((slope) => slope && write(slope)),
    }
  );
}

function sum(s: ScalarBuilder, x: Affine, y: Affine): Affine {
  if (!x || !y) return undefined;
  const both = (p?: ScalarOperand, q?: ScalarOperand): ScalarOperand | undefined =>
    p && q ? s.apply('add', p, q) : (p ?? q);
  const constant = both(x.constant, y.constant);
  const length = Math.max(x.slopes.length, y.slopes.length);
  return {
    ...(constant && { constant }),
    slopes: Array.from({ length }, (_, j) => both(x.slopes[j], y.slopes[j])),
  };
}

function branch(s: ScalarBuilder, statement: ScalarIf, environment: Environment): void {
  const condition = partsOf(environment, statement.condition);
  const walked = (block: ScalarBlock): Affine[] => {
    walk(s, block, environment);
    return block.results.map((result) => partsOf(environment, result));
  };
  // Which parts there are is known only after both branches have been walked: a dry run, thrown away.
  const dry = (block: ScalarBlock): Affine[] => {
    let found: Affine[] = [];
    s.block(() => {
      found = walked(block);
      return [];
    });
    return found;
  };
  const otherwise = dry(statement.else);
  const shapes = dry(statement.then).map((then, i): Present | undefined => presentIn(then, otherwise[i]));
  if (!isFree(condition)) {
    for (const { id } of statement.results) environment.set(id, undefined);
    return;
  }
  const written = (block: ScalarBlock) => (): ScalarOperand[] =>
    walked(block).flatMap((affine, i) => {
      const shape = shapes[i];
      if (!affine || !shape) return [];
      return [
        ...(shape.constant ? [affine.constant ?? realLiteral(0)] : []),
        ...shape.slopes.flatMap((present, j) => (present ? [affine.slopes[j] ?? realLiteral(0)] : [])),
      ];
    });
  const values: ScalarOperand[] = s.branch(condition!.constant!, written(statement.then), written(statement.else));
  let next = 0;
  statement.results.forEach(({ id }, i) => {
    const shape = shapes[i];
    const take = (): ScalarOperand => values[next++]!;
    environment.set(
      id,
      shape && {
        ...(shape.constant && { constant: take() }),
        slopes: shape.slopes.map((present) => (present ? take() : undefined)),
      },
    );
  });
}

interface Present {
  readonly constant: boolean;
  readonly slopes: readonly boolean[];
}

/** The parts that either branch has. */
function presentIn(then: Affine, otherwise: Affine): Present | undefined {
  if (!then || !otherwise) return undefined;
  const length = Math.max(then.slopes.length, otherwise.slopes.length);
  return {
    constant: then.constant !== undefined || otherwise.constant !== undefined,
    slopes: Array.from({ length }, (_, j) => then.slopes[j] !== undefined || otherwise.slopes[j] !== undefined),
  };
}
