/**
 * What an ode block's formulas say together: the rates of its states, and the values that it names.
 *
 *   dxᵢ/dt = rateᵢ + (Σⱼ nᵢⱼ·vⱼ)/perᵢ
 *
 * with vⱼ the rate of reaction j. Named formulas and the rates of named reactions may be used by all others; each is
 * compiled by itself and written where it is used, so that nothing of them is left but states, time, inputs and what
 * comes from outside.
 */
import {
  type ElementType,
  realLiteral,
  scalarFunction,
  type ScalarBuilder,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../engine/index.ts';
import { compile, type CompiledFormulas } from '../parts/formulas.ts';
import type { InferContext } from '../kind.ts';
import { lengthsFit } from '../parts/states.ts';
import { portKey, type Port } from '../../formula/names.ts';
import { delaysIn } from './delays.ts';
import { blockFormulas, constantPorts, historyOutput, namedFormulas, ownNames, perOutput } from './named.ts';
import { stoichiometryOf } from './reactions.ts';
import { rolesOf } from './step.ts';
import { inputNames, stateNames, type OdeBlock } from './schema.ts';
import { triggerFormulas, triggerResults } from './triggers.ts';
import { watchesOf, type Watches } from './watches.ts';
import { summedRate } from './summed-rate.ts';

export interface System {
  /** Of every state. */
  readonly rates: CompiledFormulas;
  /** Of every name of `valueNames`; over the same ports as the rates. */
  readonly values: CompiledFormulas;
  /** Amount for each unit of a state, in the order of the states: `per`, or 1; over the same ports. */
  readonly weights: CompiledFormulas;
  readonly valueNames: readonly string[];
  /** Of every event what `triggerResults` says. */
  readonly triggers: CompiledFormulas;
  /** Each over ports of its own, which come from outside. */
  readonly lags: readonly CompiledFormulas[];
  /** Of `statesWithHistory`; over the same ports as the rates. */
  readonly histories: CompiledFormulas;
  /** What may jump in rates and events; undefined where nothing does. */
  readonly watches: Watches | undefined;
}

/** Reports what is wrong. */
export function systemOf(block: OdeBlock, context: InferContext): System | undefined {
  const own = new Set(ownNames(block));
  const delays = delaysIn(block);
  const named = new Set([...namedFormulas(block), ...delays.formulas].map(({ output }) => output));
  const typeOf = (name: string): ElementType | undefined =>
    own.has(name) || named.has(name) ? 'real' : context.input(name)?.element;
  const stoichiometry = stoichiometryOf(block, context);
  if (!stoichiometry) return undefined;
  const compiled = new Map<string, CompiledFormulas>();
  const formulas = [
    ...[...blockFormulas(block), ...delays.formulas].map(({ output, text }) => ({
      output,
      text,
      want: 'real' as const,
    })),
    ...triggerFormulas(block),
  ];
  for (const { output, text, want } of formulas) {
    const found = compile(context, [{ output, text, want }], typeOf);
    if (found) compiled.set(output, found);
  }
  if (compiled.size < formulas.length) return undefined;
  const circle = circleOf(compiled, named);
  if (circle)
    return context.fail(`its formulas depend on one another in a circle: ${circle.join(' → ')}`, { port: 'formulas' });
  const together = compose(compiled, named);
  if (!lengthsFit(context, together.ports)) return undefined;
  if (together.ports.some((port) => port.kind === 'index'))
    return context.fail('"index" has no meaning in a rate: the solver takes steps of its own', {
      port: 'state',
      fix: '"time" is the solver\'s time',
    });
  if (!historiesFit(block, context, compiled)) return undefined;
  const lags = lagsOf(delays.lags, context, typeOf);
  if (!lags) return undefined;
  const valueNames = namedFormulas(block).map(({ output }) => output);
  const rates = together.write((s, valueOf) =>
    stateNames(block).map((name) => summedRate(block, name, stoichiometry, s, valueOf)),
  );
  const triggers = together.write((s, valueOf) => triggerResults(block, s, valueOf));
  const jumping = together.write((s, valueOf) => [
    ...triggerResults(block, s, valueOf),
    ...stateNames(block).map((name) => summedRate(block, name, stoichiometry, s, valueOf)),
  ]);
  const layout = {
    states: stateNames(block),
    inputs: [...inputNames(block), ...delays.inputs.map(({ name }) => name)].map((name) => ({ name, linear: false })),
    constants: constantPorts(block, rates).map(portKey),
    past: delays.states.map(({ name }) => name),
  };
  return {
    rates,
    triggers,
    watches: watchesOf(jumping.function, rolesOf(rates, layout)),
    weights: together.write((_, valueOf) =>
      Object.entries(block.state).map(([name, { per }]) =>
        per === undefined ? realLiteral(1) : valueOf(perOutput(name)),
      ),
    ),
    lags,
    histories: together.write((_, valueOf) => statesWithHistory(block).map((name) => valueOf(historyOutput(name)))),
    values: together.write((_, valueOf) => valueNames.map(valueOf)),
    valueNames,
  };
}

export function statesWithHistory(block: OdeBlock): string[] {
  return stateNames(block).filter((name) => block.state[name]?.history !== undefined);
}

/** Before the start there is the time, and nothing else that moves. */
function historiesFit(
  block: OdeBlock,
  context: InferContext,
  compiled: ReadonlyMap<string, CompiledFormulas>,
): boolean {
  for (const name of statesWithHistory(block)) {
    const port = `${name}.history`;
    const uses = compiled.get(historyOutput(name))?.ports ?? [];
    const own = new Set([...ownNames(block), ...namedFormulas(block).map(({ output }) => output)]);
    const moving = uses.find((each) => each.kind === 'name' && each.name !== 'time' && own.has(each.name));
    if (moving?.kind === 'name') {
      context.fail(`the history of "${name}" uses "${moving.name}", which there is from the start on alone`, {
        port,
        fix: 'a history is a formula of "time" and of parameters',
      });
      return false;
    }
    if (delaysIn(block).states.some(({ of }) => of === name)) continue;
    context.warn(`the state "${name}" has a "history", and no delay() looks back at it`, { port });
  }
  return true;
}

function lagsOf(
  texts: readonly string[],
  context: InferContext,
  typeOf: (name: string) => ElementType | undefined,
): CompiledFormulas[] | undefined {
  const found = texts.map((text, i) => compile(context, [{ output: `lag ${i}`, text, want: 'real' }], typeOf));
  const lags = found.filter((each) => each !== undefined);
  return lags.length === found.length ? lags : undefined;
}

interface Together {
  readonly ports: readonly Port[];
  readonly write: (
    results: (s: ScalarBuilder, valueOf: (output: string) => ScalarOperand) => ScalarOperand[],
  ) => CompiledFormulas;
}

/** The ports of all formulas that are no names of theirs, and functions over them. */
function compose(compiled: ReadonlyMap<string, CompiledFormulas>, named: ReadonlySet<string>): Together {
  const ports = new Map<string, { readonly port: Port; readonly type: ElementType }>();
  for (const { ports: each, function: fn } of compiled.values())
    for (const [i, port] of each.entries())
      if (port.kind !== 'name' || !named.has(port.name))
        ports.set(portKey(port), { port, type: fn.parameters[i]?.type ?? 'real' });
  const keys = [...ports.keys()];
  const types = [...ports.values()].map(({ type }) => type);
  const write: Together['write'] = (results) => {
    let count = 0;
    const fn: ScalarFunction = scalarFunction(types, (s, ...operands) => {
      const known = new Map<string, ScalarOperand>();
      const valueOf = (output: string): ScalarOperand => {
        const found = known.get(output);
        if (found) return found;
        const { function: inner, ports: taken } = compiled.get(output)!;
        const given = taken.map((port) =>
          port.kind === 'name' && named.has(port.name)
            ? valueOf(port.name)
            : (operands[keys.indexOf(portKey(port))] as ScalarOperand),
        );
        const [value] = s.inline(inner, given) as [ScalarOperand];
        known.set(output, value);
        return value;
      };
      const found = results(s, valueOf);
      count = found.length;
      return found;
    });
    return {
      function: fn,
      ports: [...ports.values()].map(({ port }) => port),
      results: new Array<ElementType>(count).fill('real'),
    };
  };
  return { ports: [...ports.values()].map(({ port }) => port), write };
}

/** Names of which each depends on the next, and the last on the first; undefined where there are none. */
function circleOf(
  compiled: ReadonlyMap<string, CompiledFormulas>,
  named: ReadonlySet<string>,
): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const port of compiled.get(name)?.ports ?? []) {
      if (port.kind !== 'name' || !named.has(port.name)) continue;
      const found = visit(port.name, [...path, name]);
      if (found) return found;
    }
    done.add(name);
    return undefined;
  };
  for (const name of named) {
    const found = visit(name, []);
    if (found) return found;
  }
  return undefined;
}
