/**
 * A time of ∞ asks for the steady state that a solution goes to: f(x) = 0, and what reactions conserve as it was at the
 * start, or, where events or doses change it, at the end. The solver follows the solution until a time that is late for
 * anything, which finds the state that is reached and not just any; from there Newton's method (block `solve` has the same)
 * makes it exact. Derivatives are those of the root, by the implicit function theorem: nothing of the way there is
 * differentiated.
 *
 * Where the equations do not tell the state that was reached from others beside it (what is conserved shows in no reaction),
 * or their root is another, the late state is taken as it is, with the derivatives of the way there; steady-error.ts judges
 * whether it rests.
 */
import {
  intLiteral,
  realLiteral,
  scalarFunction,
  solveEnds,
  type ScalarOperand,
  type Shape,
  type Value,
} from '../../../engine/index.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import { portKey } from '../../formula/names.ts';
import type { LowerContext } from '../kind.ts';
import { asReal } from '../parts/convert.ts';
import { invariantValue } from '../parts/recurrence-step.ts';
import { initialPort } from '../parts/states.ts';
import type { Root } from '../parts/turning.ts';
import { conservationLaws } from './conserved.ts';
import type { OdeDetail } from './infer.ts';
import { overTimed } from './knots.ts';
import { constantPorts } from './named.ts';
import { rolesOf } from './step.ts';
import { stateNames, type OdeBlock } from './schema.ts';
import { toleranceOf } from './slots/tolerance.ts';

/** In the place of ∞ while steps are taken: late in any unit that a model is written in. */
export const late = 1e10;
/** As many as a root takes that is 0 and flat, to where its equation underflows. */
const mostSteps = 1024;
/**
 * How far a root may be from the late state, relative and absolute, to be the one that was reached: as far as the solver may
 * be off by then, in its tolerances. The search begins farther off than that, that a state in a row of others is not taken
 * for a root by itself.
 */
const near = { least: 1e-5, relative: 100, absolute: 100, aside: 20 };

/** The same block with every infinite time a late one. */
export function untilLate(context: LowerContext, end = late): LowerContext {
  const b = context.builder;
  const times = context.input('times');
  const known = lateTimes.get(times) ?? new Map<number, Value>();
  const until = known.get(end) ?? b.elementwise([asReal(b, times)], (s, t) => s.apply('min', t, realLiteral(end)));
  lateTimes.set(times, known.set(end, until));
  return { ...context, builder: b, input: (port) => (port === 'times' ? until : context.input(port)) };
}

/** Once for all who ask, so that what is solved until then is solved once. */
const lateTimes = new WeakMap<Value, Map<number, Value>>();

export interface SteadyStates {
  /** The states with those at infinite times exact: [n, …batch]. */
  readonly states: readonly Value[];
  /** Whether a steady state was asked for, and whether it is a late state as it is, with no root beside it: [n, …batch]. */
  readonly asked: Value;
  readonly assumed: Value;
  /** The roots at infinite times, where they are what the solution goes to. */
  readonly root: Root;
  /** [n, …batch] */
  readonly shape: Shape;
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
  const disturbed = (block.events ?? []).length > 0;
  const starts = disturbed
    ? solution
    : Object.entries(block.state).map(([name, { initial }]) =>
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
  const givenWhere = (where: Value): Value[] => [...solution, ...starts, where, ...constants];
  const rootFrom = (initial: readonly Value[], where: Value): Value[] =>
    b.emit({
      kind: 'solve',
      residual,
      shape,
      initial,
      given: givenWhere(where),
      iterations: mostSteps,
      linear: false,
    });
  const { relative, absolute } = toleranceOf(block);
  const allowed = Math.max(near.least, near.relative * relative);
  // Each by another factor, that a row of states which are multiples of one is none of roots.
  const beside = solution.map((x, i) =>
    b.elementwise([x], (s, each) =>
      s.apply('mul', realLiteral(1 + near.aside * allowed * (1 + ((i * 0.618) % 1))), each),
    ),
  );
  const tried = rootFrom(beside, wanted);
  const settled = b.elementwise([...solution, ...tried, wanted], (s, ...operands) => {
    const [x, y] = [operands.slice(0, d), operands.slice(d, 2 * d)];
    const [ended, asked] = operands.slice(2 * d) as [ScalarOperand, ScalarOperand];
    const size = (each: ScalarOperand): ScalarOperand => s.apply('abs', each);
    const isFound = s.apply('and', asked, s.apply('eq', ended, intLiteral(solveEnds.found)));
    return x.reduce((all, each, i) => {
      const own = s.apply('mul', realLiteral(allowed), size(each));
      const bound = s.apply('add', own, realLiteral(near.absolute * absolute));
      const isNear = s.apply('le', size(s.apply('sub', y[i]!, each)), bound);
      return s.apply('and', all, isNear);
    }, isFound);
  });
  // Once more, that lanes without a root of their own have none that is differentiated.
  const root = rootFrom(tried.slice(0, d), settled);
  const isComputed = (ref: string): boolean => context.output(ref).computed;
  const moving = [
    ...states.map(() => false),
    ...Object.entries(block.state).map(
      ([name, { initial }]) => disturbed || (!isDocumentNumber(initial) && isComputed(initialPort(name))),
    ),
    false,
    ...ports.map((port) => port.kind === 'name' && isComputed(port.name)),
  ];
  const exact = solution.map((before, i) =>
    b.elementwise([before, root[i]!, settled], (s, x, y, isRoot) =>
      s.either(
        isRoot,
        () => y,
        () => x,
      ),
    ),
  );
  const assumed = b.elementwise([settled, wanted], (s, isRoot, asked) => s.apply('and', asked, s.apply('not', isRoot)));
  return {
    ...{ states: exact, asked: wanted, assumed, shape },
    root: { residual, unknowns: root.slice(0, d), given: givenWhere(settled), moving, where: settled },
  };
}
