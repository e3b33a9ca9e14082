/** What an ode block's wires must be, and what follows from them. Every function reports what is wrong. */
import { asReal, wantNumber } from '../parts/convert.ts';
import type { CompiledFormulas } from '../parts/formulas.ts';
import type { Value } from '../../../engine/index.ts';
import type { AxisSize, InferContext, Output, Sizes } from '../kind.ts';
import { disagreement } from '../parts/disagreement.ts';
import { ascends } from '../parts/points.ts';
import { broadcastSizes, printOutput } from '../parts/sizes.ts';
import { initialPort } from '../parts/states.ts';
import { didYouMean } from '../../notation/names.ts';
import { isDocumentNumber } from '../../notation/numbers.ts';
import { portKey } from '../../formula/names.ts';
import { knotTimes, placesOf } from './knots.ts';
import { numberOutput, pieceLength, pieceValues, timePieces, type TimePiece } from './pieces.ts';
import { delaysIn, looksBack } from './delays.ts';
import { lagPorts, lagValues } from './past-values.ts';
import { eliminationOf, withDiagonal } from './methods/elimination.ts';
import { jacobianPattern } from './methods/jacobian.ts';
import { constantPorts, namedFormulas, ownNames } from './named.ts';
import { dosesIn, inputNames, isAdaptive, stateNames, triggersOf, type OdeBlock } from './schema.ts';
import { rolesOf } from './step.ts';
import { triggersFit } from './triggers.ts';
import { systemOf, type System } from './system.ts';
import { toleranceOf } from './slots/tolerance.ts';

export interface OdeDetail {
  /** The rates. */
  readonly compiled: CompiledFormulas;
  readonly system: System;
  readonly batch: Sizes;
  /** The batch where series have times of their own, else []. */
  readonly timed: Sizes;
  readonly knots: AxisSize;
  /** Where each knot goes; undefined where that moves with a parameter. */
  readonly places: Int32Array | undefined;
  readonly times: AxisSize;
  /** Whether a time is ∞: a steady state is asked for. */
  readonly steady: boolean;
  readonly computed: boolean;
  /** How long a step of the method for stiff systems is. */
  readonly stiffStep: 'short' | 'long' | 'unbearable';
}

/** States of a step that is written entry by entry, and operations of its elimination. */
const mostSparseStates = 1000;
const mostStiffWork = 150_000;
/** From so many on, both methods one beside the other are more code than can be compiled. */
const longStates = 250;
const longStiffWork = 60_000;
/** A Rosenbrock step eliminates in straight-line code, whose length grows with the cube of the states. */
const mostStiffStates = 12;
/** Knots that move with a parameter are put in order by counting, O(M²). */
const mostMovingKnots = 2048;

export function inferOde(block: OdeBlock, context: InferContext): OdeDetail | undefined {
  const states = stateNames(block);
  if (block.method === 'rosenbrock' && states.length > mostStiffStates)
    return context.fail(`"rosenbrock" takes at most ${mostStiffStates} states, got ${states.length}`, {
      port: 'method',
      wanted: `at most ${mostStiffStates} states`,
      got: String(states.length),
      fix: '"method": "rk4" takes any number',
    });
  const { fault } = delaysIn(block);
  if (fault !== undefined) return context.fail(fault, { port: 'state' });
  if (!stepsFit(block, context) || !namesApart(block, context)) return undefined;
  const pieces = timePieces(block);
  if (
    !timesFit(context, pieces) ||
    !eventsFit(block, context) ||
    !triggersFit(block, context) ||
    !inputsFit(block, context)
  )
    return undefined;
  const system = systemOf(block, context);
  const compiled = system?.rates;
  if (!system || !lagsFit(context, system)) return undefined;
  const series = compiled && batchesOf(block, context, pieces, compiled, lagPorts(system.lags));
  if (!series) return undefined;
  const { batch, timed } = series;
  const count = pieces.reduce((sum, piece) => sum + pieceLength(context, piece), 0);
  const knots: AxisSize = { value: count, name: `${context.id} knots`, literal: false };
  const moves = [...pieces.map(({ port }) => port), ...lagPorts(system.lags)].some(
    (port) => context.input(port)?.computed,
  );
  if (moves && count > mostMovingKnots)
    return context.fail(
      `its times depend on a parameter, and there are ${count} of them: at most ${mostMovingKnots} can be put in order then`,
      { port: 'times', wanted: `at most ${mostMovingKnots}`, got: String(count) },
    );
  const places = moves ? undefined : placesOfData(context, pieces, knots, timed, system, isAdaptive(block));
  if (!moves && !places) return undefined;
  const times = context.input('times')?.sizes[0];
  if (times === undefined) return undefined;
  const steady = moves ? false : steadyFits(block, context);
  if (steady === undefined) return undefined;
  const stiffStep = isAdaptive(block) ? stiffStepOf(block, compiled) : 'unbearable';
  if (block.method === 'stiff' && stiffStep === 'unbearable')
    return context.fail('its Jacobian is too full to be eliminated step by step', {
      port: 'method',
      fix: '"method": "explicit" takes any system',
    });
  return { compiled, system, batch, timed, knots, places, times, steady, computed: series.computed, stiffStep };
}

/** Lags that are data lie above 0; of others the solver says so. */
function lagsFit(context: InferContext, { lags }: System): boolean {
  for (const [i, lag] of lags.entries()) {
    const ports = lagPorts([lag]);
    const inputs = context.inputs(ports);
    if (!inputs) return false;
    if (inputs.some(({ computed }) => computed)) continue;
    const values = context.compute(ports, (lower) => {
      const [value] = lagValues(lower, [lag]) as [Value];
      return value.type.shape.length === 0 ? lower.builder.reshape(value, [1]) : value;
    });
    if (!values) return false;
    const wrong = Array.from(values).find((value) => !(value > 0));
    if (wrong === undefined) continue;
    const wanted = 'a lag above 0';
    context.fail(`it has a delay() whose lag is ${wrong}`, {
      port: ports[0] ?? `lag ${i}`,
      wanted,
      got: String(wrong),
    });
    return false;
  }
  return true;
}

/** Whether a time is ∞. */
function steadyFits(block: OdeBlock, context: InferContext): boolean | undefined {
  const times = context.compute(['times'], (lower) => asReal(lower.builder, lower.input('times')));
  if (!times) return undefined;
  if (!Array.from(times).includes(Infinity)) return false;
  const refuse = (why: string, fix?: string): undefined =>
    context.fail(`"times" asks for a steady state, at Infinity, and ${why}`, { port: 'times', ...(fix && { fix }) });
  if (looksBack(block)) return refuse('its rates look back: a delay() is followed over time alone');
  if (inputNames(block).length > 0) return refuse('its inputs change over time', 'make them constants');
  if (!isAdaptive(block)) return refuse('its steps are fixed', 'leave out "substeps" and the method');
  if (block.from === undefined) return refuse('does not say where the solution begins', 'say "from"');
  return true;
}

function namesApart(block: OdeBlock, context: InferContext): boolean {
  const names = [...ownNames(block), ...namedFormulas(block).map(({ output }) => output)];
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return true;
  context.fail(`"${twice}" names two of its states, inputs, formulas and reactions`, { port: 'formulas', got: twice });
  return false;
}

/** Fixed and adaptive steps exclude each other, and a tolerance is of the adaptive ones. */
function stepsFit(block: OdeBlock, context: InferContext): boolean {
  const { method, substeps, tolerance } = block;
  const fixed = !isAdaptive(block);
  if (looksBack(block) && (fixed || method === 'stiff')) {
    const got = method ?? 'substeps';
    context.fail(
      `it has a delay(), which the explicit method with steps of its own solves alone, and asks for "${got}"`,
      {
        port: method === undefined ? 'substeps' : 'method',
        fix: 'leave out "substeps" and the method',
      },
    );
    return false;
  }
  const named = method !== undefined && method !== 'rk4' && method !== 'rosenbrock';
  if (named && substeps !== undefined) {
    context.fail(`the method "${method}" finds its steps itself, and "substeps" fixes them`, {
      port: 'substeps',
      fix: 'leave out "substeps", or say "rk4" or "rosenbrock"',
    });
    return false;
  }
  if (fixed && triggersOf(block).length > 0) {
    context.fail('its steps are fixed, and events that happen by a condition want steps that the solver finds', {
      port: 'events',
      fix: 'leave out "substeps" and the method',
    });
    return false;
  }
  if (fixed && tolerance !== undefined) {
    context.fail('its steps are fixed, and "tolerance" is of steps that the solver finds', {
      port: 'tolerance',
      fix: 'leave out "substeps" and the method',
    });
    return false;
  }
  const { relative, absolute } = toleranceOf(block);
  for (const [name, value] of Object.entries({ relative, absolute })) {
    if (value > 0 && value < 1) continue;
    const wanted = 'a number above 0 and below 1';
    context.fail(`"${name}" of the tolerance wants ${wanted}, got ${value}`, { port: 'tolerance', wanted });
    return false;
  }
  return true;
}

/** By the operations of an elimination of I/γ − h·∂rate/∂state. */
function stiffStepOf(block: OdeBlock, compiled: CompiledFormulas): OdeDetail['stiffStep'] {
  const states = stateNames(block);
  if (states.length > mostSparseStates) return 'unbearable';
  const layout = {
    states,
    inputs: [],
    constants: constantPorts(block, compiled).map(portKey),
    past: delaysIn(block).states.map(({ name }) => name),
  };
  const pattern = jacobianPattern(compiled.function, rolesOf(compiled, layout), states.length);
  const { work } = eliminationOf(withDiagonal(pattern));
  if (work > mostStiffWork) return 'unbearable';
  return work > longStiffWork || states.length > longStates ? 'long' : 'short';
}

function timesFit(context: InferContext, pieces: readonly TimePiece[]): boolean {
  for (const { kind, port, given } of pieces) {
    if (given !== undefined) continue;
    const output = wantNumber(context, port, context.input(port));
    if (!output) return false;
    const got = printOutput(output);
    if ((kind === 'times' || kind === 'input') && output.sizes.length === 0) {
      context.fail(`"${port}" wants an array, got ${got}`, { port, wanted: 'an array', got });
      return false;
    }
  }
  return true;
}

function eventsFit(block: OdeBlock, context: InferContext): boolean {
  const states = stateNames(block);
  for (const { event, index: i } of dosesIn(block)) {
    const { state, times, add } = event;
    if (!states.includes(state)) {
      const fix = didYouMean(state, states) ?? `its states are ${states.join(', ')}`;
      context.fail(`event ${i} adds to "${state}", which is no state`, { port: `events.${i}.state`, got: state, fix });
      return false;
    }
    if (isDocumentNumber(add)) continue;
    const port = `events.${i}.add`;
    const amounts = wantNumber(context, port, context.input(port));
    const given = isDocumentNumber(times) ? undefined : context.input(`events.${i}.times`);
    if (!amounts) return false;
    const [count, added] = [given?.sizes[0], amounts.sizes[0]];
    if (!count || !added || count.value === added.value) continue;
    const got = printOutput(amounts);
    const wanted = `one amount for each of ${count.value} times`;
    context.fail(`event ${i}: "add" is ${got}, and there are ${count.value} times`, { port, wanted, got });
    return false;
  }
  return true;
}

function inputsFit(block: OdeBlock, context: InferContext): boolean {
  for (const name of inputNames(block)) {
    const [times, values] = [context.input(`${name}.times`), context.input(`${name}.values`)];
    const port = `${name}.values`;
    if (!times || !wantNumber(context, port, values) || !values) return false;
    if (times.computed) {
      context.fail(`the times of the input "${name}" are data, and these depend on a parameter`, {
        port: `${name}.times`,
      });
      return false;
    }
    if (times.sizes.length !== 1 || times.sizes[0]?.value === 0 || values.sizes[0]?.value !== times.sizes[0]?.value) {
      context.fail(`the input "${name}" has times ${printOutput(times)} and values ${printOutput(values)}`, {
        port,
        wanted: 'one value for each time, and at least one',
        got: printOutput(values),
      });
      return false;
    }
    if (!ascends(context, `${name}.times`)) return false;
  }
  return true;
}

/** Of each wire the axes that are not its own: all of them broadcast to the batch. */
function batchesOf(
  block: OdeBlock,
  context: InferContext,
  pieces: readonly TimePiece[],
  compiled: CompiledFormulas,
  lags: readonly string[],
): { readonly batch: Sizes; readonly timed: Sizes; readonly computed: boolean } | undefined {
  const found: { name: string; output: Output; timed: boolean }[] = [];
  const add = (port: string, stacked: boolean, timed: boolean, given?: unknown): void => {
    const output = given === undefined ? context.input(port) : numberOutput();
    if (output) found.push({ name: port, output: stacked ? withoutFirst(output) : output, timed });
  };
  for (const { kind, port, given } of pieces) if (given !== 'first') add(port, kind !== 'from', true, given);
  for (const { event, index: i } of dosesIn(block)) {
    const { times, add: amount } = event;
    if (!isDocumentNumber(amount))
      add(`events.${i}.add`, !isDocumentNumber(times) && context.input(`events.${i}.times`)?.sizes.length !== 0, false);
  }
  for (const name of inputNames(block)) add(`${name}.values`, true, false);
  for (const [name, { initial }] of Object.entries(block.state))
    if (!isDocumentNumber(initial)) add(initialPort(name), false, false);
  const constants = constantPorts(block, compiled).flatMap((port) => (port.kind === 'name' ? [port.name] : []));
  if (!context.inputs(constants)) return undefined;
  for (const name of constants) add(name, false, false);
  if (!context.inputs(lags)) return undefined;
  for (const name of lags) add(name, false, true);
  const batch = broadcastSizes(found.map(({ output }) => output.sizes));
  if (!batch)
    return context.fail(
      ...disagreement(
        found.map(({ name }) => name),
        found.map(({ output }) => output),
      ),
    );
  if (batch.length > 2)
    return context.fail(`its solution would be of rank ${batch.length + 1}, and 3 is the highest`, { port: 'times' });
  const timed = found.some(({ timed: is, output }) => is && output.sizes.length > 0) ? batch : [];
  return { batch, timed, computed: found.some(({ output }) => output.computed) };
}

function withoutFirst(output: Output): Output {
  return { ...output, sizes: output.sizes.slice(1) };
}

/** From the start, beyond which the places of two steps are not told apart. */
const farthest = 1e20;

/** Reports what comes before the start, or too long after it, and a start that is no time. */
function placesOfData(
  context: InferContext,
  pieces: readonly TimePiece[],
  knots: AxisSize,
  timed: Sizes,
  { lags }: System,
  adaptive: boolean,
): Int32Array | undefined {
  const ports = [
    'times',
    ...lagPorts(lags),
    ...pieces.flatMap(({ port, given }) => (given === undefined ? [port] : [])),
  ];
  const times = context.compute(ports, (lower) =>
    knotTimes(lower.builder, pieceValues(lower, pieces, lagValues(lower, lags)), lower.size(knots), lower.shape(timed)),
  );
  if (!times) return undefined;
  const series = times.length / Math.max(knots.value, 1);
  let knot = 0;
  for (const piece of pieces) {
    const last = knot + pieceLength(context, piece);
    for (; knot < last; knot++)
      for (let column = 0; column < series; column++) {
        const [time, start] = [times[knot * series + column], times[column]] as [number, number];
        // Of times that are all missing nothing is solved.
        if (piece.kind === 'from' && (piece.given === 'first' ? start === -Infinity : !Number.isFinite(start)))
          return context.fail(`its solution would begin at ${start}`, {
            port: piece.port,
            got: String(start),
            fix: piece.given === 'first' ? 'say when it begins: "from"' : 'begin at a finite time',
          });
        if (piece.kind === 'times' && adaptive && time < Infinity && time - start > farthest)
          return context.fail(
            `"times" has the time ${time}, more than ${farthest.toExponential()} after the start at ${start}: steps are not told apart there`,
            {
              port: 'times',
              got: String(time),
              fix: 'the time Infinity asks for a steady state; else take larger units of time',
            },
          );
        if (piece.kind === 'input' || piece.kind === 'echo' || !(time < start)) continue;
        const got = String(time);
        return context.fail(`"${piece.port}" has the time ${got}, before the start at ${start}`, {
          port: piece.port,
          wanted: `${start} or later`,
          got,
          fix: 'say an earlier "from"',
        });
      }
  }
  return placesOf(times, knots.value);
}
