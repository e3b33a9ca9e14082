/**
 * Reverse mode of a scalar function (VJP^LAM in the paper): y = f(x)  ⇒  x̄ = f′(x)ᵀ·ȳ.
 * The primal is re-executed, then the statements are walked backwards (equation "rewrite-adj" of the paper).
 */
import { ById } from '../../0-ir/by-id.ts';
import {
  realLiteral,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarOperand,
  type ScalarVariable,
} from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { linearMaps, replay, resolve, type Environment } from './function.ts';
import { along, partnerOf, steepIn } from './steep.ts';

/** Adjoints by variable; a variable without one has the adjoint zero. */
type Adjoints = Map<number, ScalarOperand>;

/**
 * (x…, ȳ of the seeded results…) ↦ (x̄ of the wanted parameters…). Seeded results and wanted parameters are real;
 * a parameter on which no seeded result depends gets the literal 0. `steep`: results whose ȳ may be infinite for the sake of an
 * edge (`steep.ts`); none unless said.
 */
export function vjpFunction(
  fn: ScalarFunction,
  seeded: readonly boolean[],
  wanted: readonly boolean[],
  steep: readonly boolean[] = [],
): ScalarFunction {
  const types = fn.parameters.map((parameter) => parameter.type);
  const seeds = fn.body.results.filter((_, i) => seeded[i]).map(() => 'real' as const);
  return scalarFunction([...types, ...seeds], (b, ...operands) => {
    const environment: Environment = new ById();
    fn.parameters.forEach((parameter, i) => environment.set(parameter.id, operands[i] as ScalarOperand));
    const adjoints: Adjoints = new Map();
    replay(b, fn.body, environment);
    let next = types.length;
    fn.body.results.forEach((result, i) => {
      if (seeded[i]) accumulate(b, adjoints, result, operands[next++] as ScalarOperand);
    });
    pull(b, fn.body, environment, adjoints, steepIn(fn.body, steep));
    return fn.parameters.filter((_, i) => wanted[i]).map((parameter) => adjoints.get(parameter.id) ?? realLiteral(0));
  });
}

/** Which parameters a set of results depends on through real values alone: what can carry an adjoint. */
export function dependence(fn: ScalarFunction, seeded: readonly boolean[]): boolean[] {
  let found: boolean[] = [];
  scalarFunction(
    [
      ...fn.parameters.map((parameter) => parameter.type),
      ...fn.body.results.filter((_, i) => seeded[i]).map(() => 'real' as const),
    ],
    (b, ...operands) => {
      const pulled = b.inline(
        vjpFunction(
          fn,
          seeded,
          fn.parameters.map((p) => p.type === 'real'),
        ),
        operands,
      );
      let next = 0;
      found = fn.parameters.map((parameter) => {
        if (parameter.type !== 'real') return false;
        const adjoint = pulled[next++]!;
        return !(adjoint.kind === 'literal' && adjoint.value === 0);
      });
      return [];
    },
  );
  return found;
}

function accumulate(b: ScalarBuilder, adjoints: Adjoints, operand: ScalarOperand, term: ScalarOperand): void {
  if (operand.kind === 'literal' || operand.type !== 'real') return;
  const known = adjoints.get(operand.id);
  adjoints.set(operand.id, known ? b.apply('add', known, term) : term);
}

function pull(
  b: ScalarBuilder,
  block: ScalarBlock,
  environment: Environment,
  adjoints: Adjoints,
  steep: ReadonlySet<number>,
): void {
  for (const statement of [...block.statements].reverse()) {
    if (statement.kind === 'apply') {
      const adjoint = adjoints.get(statement.result.id);
      if (!adjoint) continue;
      linearMaps(b, statement, environment).forEach((map, i) => {
        if (!map) return;
        const partner = steep.has(statement.result.id) ? partnerOf(statement, i) : undefined;
        const term = partner ? along(b, resolve(environment, partner), adjoint, map) : map(adjoint);
        accumulate(b, adjoints, statement.operands[i]!, term);
      });
    } else {
      const seeds = statement.results.map((result) => adjoints.get(result.id));
      if (seeds.every((seed) => seed === undefined)) continue;
      pullIf(b, statement, environment, adjoints, seeds, steep);
    }
  }
}

/** What a block's own statements define. */
const definedIn = ({ statements }: ScalarBlock): ScalarVariable[] =>
  statements.flatMap((statement) => (statement.kind === 'apply' ? [statement.result] : statement.results));

/** Only the branch taken is re-executed and differentiated, so no NaN comes from the other. */
function pullIf(
  b: ScalarBuilder,
  statement: Extract<ScalarBlock['statements'][number], { kind: 'if' }>,
  environment: Environment,
  adjoints: Adjoints,
  seeds: readonly (ScalarOperand | undefined)[],
  steep: ReadonlySet<number>,
): void {
  const run = (block: ScalarBlock): { own: Adjoints; written: ScalarBlock } => {
    const own: Adjoints = new Map();
    const written = b.block(() => {
      replay(b, block, environment);
      block.results.forEach((result, i) => {
        const seed = seeds[i];
        if (seed) accumulate(b, own, result, seed);
      });
      pull(b, block, environment, own, steep);
      return [];
    });
    for (const { id } of definedIn(block)) own.delete(id);
    return { own, written };
  };
  // Each branch is written once, however deep the nesting; then both give adjoints for what either reaches outside.
  const [then, otherwise] = [run(statement.then), run(statement.else)];
  const ids = [...new Set([...then.own.keys(), ...otherwise.own.keys()])];
  const side = ({ own, written }: typeof then): ScalarBlock => ({
    ...written,
    results: ids.map((id) => own.get(id) ?? realLiteral(0)),
  });
  const results = b.choose(resolve(environment, statement.condition), side(then), side(otherwise));
  ids.forEach((id, i) => accumulate(b, adjoints, { kind: 'variable', id, type: 'real' }, results[i] as ScalarOperand));
}
