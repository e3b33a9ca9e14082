/**
 * A time of ∞ asks for the steady state that a solution goes to: f(x) = 0, and what reactions conserve as it was at the
 * start. The solver follows the solution until a time that is late for anything, which finds the state that is reached
 * and not just any; from there Newton's method (block `solve` has the same) makes it exact. Derivatives are those of the
 * root, by the implicit function theorem: nothing of the way there is differentiated.
 */
import {
  intLiteral,
  realLiteral,
  scalarFunction,
  solveEnds,
  type ScalarOperand,
  type Value,
} from '../../../engine/index.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { portKey } from '../../formula/names.ts';
import type { LowerContext } from '../kind.ts';
import { asReal } from '../parts/convert.ts';
import { invariantValue } from '../parts/recurrence-step.ts';
import { initialPort } from '../parts/states.ts';
import { conservationLaws } from './conserved.ts';
import type { OdeDetail } from './infer.ts';
import { overTimed } from './knots.ts';
import { constantPorts } from './named.ts';
import { rolesOf } from './step.ts';
import { stateNames, type OdeBlock } from './schema.ts';

/** In the place of ∞ while steps are taken: late in any unit that a model is written in. */
const late = 1e10;
const mostSteps = 200;

/** The same block with every infinite time a late one. */
export function untilLate(context: LowerContext): LowerContext {
  return {
    ...context,
    builder: context.builder,
    input(port) {
      const value = context.input(port);
      if (port !== 'times') return value;
      return context.builder.elementwise([asReal(context.builder, value)], (s, t) =>
        s.apply('min', t, realLiteral(late)),
      );
    },
  };
}

export interface SteadyStates {
  /** The states with those at infinite times exact: [n, …batch]. */
  readonly states: readonly Value[];
  /** One of `solveEnds`: [n, …batch]; `found` where no steady state was asked for. */
  readonly end: Value;
}

/** `context` is that of the block, `solution` what steps until a late time gave. */
export function steadyStates(
  block: OdeBlock,
  detail: OdeDetail,
  context: LowerContext,
  solution: readonly Value[],
): SteadyStates {
  const b = context.builder;
  const { system, batch, knots, compiled } = detail;
  const states = stateNames(block);
  const d = states.length;
  const shape = [context.size(detail.times), ...context.shape(batch)];
  const wanted = b.elementwise([overTimed(b, asReal(b, context.input('times')), context.shape(batch))], (s, t) =>
    s.apply('eq', t, realLiteral(Infinity)),
  );
  const starts = Object.entries(block.state).map(([name, { initial }]) =>
    isDocumentNumber(initial) ? b.literal(toNumber(initial)) : asReal(b, context.input(initialPort(name))),
  );
  const ports = constantPorts(block, compiled);
  const layout = { states, inputs: [], constants: ports.map(portKey) };
  const constants = ports.map((port) => invariantValue(context, port, knots));
  const roles = rolesOf(compiled, layout);
  const laws = conservationLaws(block);
  const typeOf = new Map(compiled.ports.map((port, i) => [portKey(port), compiled.function.parameters[i]!.type]));
  const reals = Array.from({ length: 3 * d }, () => 'real' as const);
  // Unknowns; where the solver came to, where it began, whether a steady state is asked for, what is constant.
  const residual = scalarFunction(
    [...reals, 'bool', ...ports.map((port) => typeOf.get(portKey(port)) ?? 'real')],
    (s, ...operands) => {
      const [y, reached, began] = [0, 1, 2].map((k) => operands.slice(k * d, (k + 1) * d)) as ScalarOperand[][];
      const [asked, ...given] = operands.slice(3 * d) as [ScalarOperand, ...ScalarOperand[]];
      const inner = roles.map((role) =>
        role.kind === 'state' ? y![role.state]! : role.kind === 'constant' ? given[role.constant]! : realLiteral(late),
      );
      return s.branch(
        asked,
        () => {
          const rates = s.inline(system.rates.function, inner);
          const weights = s.inline(system.weights.function, inner);
          return rates.map((rate, i) => {
            const law = laws.find(({ state }) => state === i);
            if (!law) return rate;
            const terms = law.weights.flatMap((weight, j) => {
              if (weight === 0) return [];
              const change = s.apply('sub', y![j]!, began![j]!);
              const amount = s.apply('mul', change, weights[j]!);
              return [s.apply('mul', realLiteral(weight), amount)];
            });
            return terms.reduce((sum, term) => s.apply('add', sum, term));
          });
        },
        () => y!.map((each, i) => s.apply('sub', each, reached![i]!)),
      );
    },
  );
  const found = b.emit({
    kind: 'solve',
    residual,
    shape,
    initial: solution,
    given: [...solution, ...starts, wanted, ...constants],
    iterations: mostSteps,
    linear: false,
  });
  const end = found[d]!;
  // Steps that have not come so far have told why, and a search from nowhere would find it to be off.
  const exact = solution.map((before, i) =>
    b.elementwise([before, found[i]!, end, wanted], (s, x, y, ended, asked) =>
      s.either(
        asked,
        () =>
          s.either(
            s.apply('eq', ended, intLiteral(solveEnds.found)),
            () => y,
            () => realLiteral(NaN),
          ),
        () => x,
      ),
    ),
  );
  const told = b.elementwise([solution[0]!, end, wanted], (s, x, ended, asked) =>
    s.either(
      s.apply('and', asked, s.apply('not', s.apply('isnan', x))),
      () => ended,
      () => intLiteral(solveEnds.found),
    ),
  );
  return { states: exact, end: told };
}
