/** How far solutions of differential equations may be off, by step doubling, and where that leaves nothing of them. */
import { type Device, type FitResult, type Instance, mostGrown } from '../../../engine/index.ts';
import { stateNames } from '../../../models/blocks/ode/schema.ts';
import { solverFaults } from '../../../models/blocks/parts/solver-faults.ts';
import { lowerModel, solvedBlock, type LowerRequest } from '../../../models/lower/lower.ts';
import type { Model } from '../../../models/load/model.ts';
import { upstreamOf } from '../../../models/plots/comparisons.ts';
import type { Problem } from '../../contract/contract.ts';
import { type SolverError, Unsolved } from '../../refused.ts';
import { writeParameters, type ParameterValues } from './run.ts';
import { startInstance } from './run.ts';

/** More than this share of the states, and what was computed is no solution. */
const worthless = 0.1;

/** Names in a sentence. */
const mostNamed = 5;

/** Where nothing better is known. */
const usualRemedy = 'leave "method" and "substeps" to the solver, or give it a smaller "tolerance"';

const undefinedRate =
  'where a root, a logarithm or a quotient has no value say what holds there, as in if(x > 0, sqrt(x), 0)';

/** Of differential equations by the time that was reached, of others by how far they are off; and what to do. */
const reasons = {
  slots: {
    why: (time) => `it needs more than ${mostGrown} steps between two outputs, and was at ${time} after these`,
    remedy:
      'ask for times in between, and leave "method" and "substeps" to the solver; what events bring about again and again at one time comes to no end',
  },
  step: {
    why: (time) => `it stops at ${time}, where no step is short enough: a rate grows without bound or has no value`,
    remedy: `${undefinedRate}; a state that grows without bound has no value later`,
  },
  waiting: {
    why: (time) => `it stops at ${time}, where more carryings-out of one delayed event wait than can be kept`,
    remedy: 'give the event a shorter delay, or a condition that becomes true more rarely',
  },
  unsteady: {
    why: () => 'it comes to no steady state: by the latest time that is tried it still changes, or events still happen',
    remedy: 'ask for it at times that are finite, or take from its rates what keeps it moving',
  },
  restless: {
    why: (time) =>
      `it comes to no steady state: ${mostGrown} steps have led to ${time}, and it still changes, as what oscillates or is set going again and again does`,
    remedy: 'ask for it at times that are finite, or take from its rates what keeps it moving',
  },
  boundless: {
    why: (time) =>
      `it comes to no steady state: it stops at ${time}, where no step is short enough: a state grows without bound, or a rate has no value`,
    remedy: `ask for it at times that are finite, or let something end the growth; ${undefinedRate}`,
  },
  unresolved: {
    why: (time) =>
      `it stops at ${time}, where what a condition compares may pass its threshold for moments too short to be told apart`,
    remedy: usualRemedy,
  },
  endless: {
    why: (time) => `it stops at ${time}, before which events follow each other ever faster and come to no end`,
    remedy: 'let a further event end the motion once it is slow',
  },
  lag: {
    why: (time) => `it stops at ${time}, since a lag of its delay() is not above 0`,
    remedy: 'give the lag a lower bound above 0',
  },
  delay: {
    why: (time) => `it stops at ${time}, where an event is triggered whose delay is below 0 or no number`,
    remedy: 'an event happens when it is triggered or later: see what its "delay" is there',
  },
  unfinished: {
    why: (off) => `are off by ${brief(off)} after as many steps as are tried`,
    remedy: 'give it other initial values',
  },
  stuck: {
    why: (off) => `are off by ${brief(off)} where no step leads nearer`,
    remedy: 'give it other initial values',
  },
  singular: {
    why: (off) =>
      `are off by ${brief(off)} where they do not determine the unknowns: a change of these changes nothing`,
    remedy: 'an equation that says what others say is to say something else; else give it other initial values',
  },
} satisfies Record<
  Exclude<keyof typeof solverFaults, 'none' | 'turning'>,
  { readonly why: (at: number) => string; readonly remedy: string }
>;

/** Two solutions are compared, of which one may see before an event what the other sees after it. */
const besideEvents = 'where an event falls on a time that is asked for, ask for one beside it; else ';

const brief = (off: number): string => (Number.isNaN(off) ? 'what is no number' : off.toPrecision(3));
const implicit: ReadonlySet<string> = new Set(['unfinished', 'stuck', 'singular']);
/** What solutions are wanted for: a root may be one, and have no derivative. */
export type SolutionUse = 'values' | 'derivatives';

/** What is wrong with a solution, and what to do; undefined of one that may be shown. */
export function faultOf({
  block,
  error,
  size,
  stopped,
  events,
  unset = [],
  unknowns = [],
}: SolverError): string | undefined {
  if (stopped?.why === 'turning') {
    const [whose, what] = size < 0 ? ['unknown', 'roots of its equations'] : ['state', 'steady states'];
    const at = size < 0 ? '' : ' at the time Infinity';
    return `"${block}" has no derivative of its ${whose}${listedNames(unknowns)}${at}: ${what} fall together there, where the slope is infinite or has no value (ask for it at other values of the parameters, or give the equations a form whose root is a simple one)`;
  }
  const { why, remedy } = stopped ? reasons[stopped.why] : { why: () => '', remedy: usualRemedy };
  const reason = why(stopped?.time ?? NaN);
  if (stopped && implicit.has(stopped.why))
    return `"${block}" finds no values for its unknowns${listedNames(stopped.why === 'singular' ? unknowns : [])}: its equations ${reason} (${remedy})`;
  if (!Number.isFinite(error) && unset.length > 0) {
    return `the solution of "${block}" is not finite: it is made of what has no value yet,${listedNames(unset)} (NaN in the document: give each a number there)`;
  }
  if (!Number.isFinite(error)) {
    const known = stopped ? reason : 'its steps run away, or its rates have no value';
    return `the solution of "${block}" is not finite: ${known} (${remedy})`;
  }
  return error <= worthless * size
    ? undefined
    : `the solution of "${block}" is not to be trusted: its steps leave an error of about ${error.toPrecision(4)}, and its states reach ${size.toPrecision(4)} (${events ? besideEvents : ''}${usualRemedy})`;
}

/** ` "a", "b" and 3 more`; nothing of none. */
function listedNames(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return ` ${names
    .slice(0, mostNamed)
    .map((name) => `"${name}"`)
    .join(', ')}${more}`;
}

/** Throws `Unsolved`. */
export function demandSolved(errors: readonly SolverError[]): void {
  const problems = errors.flatMap((error): Problem[] => {
    const message = faultOf(error);
    return message === undefined ? [] : [{ severity: 'error', message, block: error.block }];
  });
  if (problems.length > 0) throw new Unsolved(problems, errors);
}

/** A fit that ended where the model is no solution has failed, and nothing is known of its parameters. */
export function withSolverErrors<R extends FitResult>(result: R, errors: readonly SolverError[]): R {
  const fault = errors.map(faultOf).find((each) => each !== undefined);
  if (fault === undefined || result.status === 'cancelled') return result;
  const unknown = { standardError: NaN, lower95: NaN, upper95: NaN };
  return {
    ...result,
    status: 'failed',
    reason: result.status === 'failed' ? `${result.reason}: ${fault}` : fault,
    estimates: result.estimates.map((estimate) => (estimate.fixed ? estimate : { ...estimate, ...unknown })),
    correlation: { ...result.correlation, matrix: result.correlation.matrix.map((row) => row.map(() => NaN)) },
  };
}

/** Those that the program of an instance was lowered with, after a run at these parameters. */
export async function readSolverErrors(
  instance: Instance,
  results: readonly { readonly name: string }[],
  model: Model,
  parameters: ParameterValues = {},
  use: SolutionUse = 'values',
): Promise<SolverError[]> {
  const errors: SolverError[] = [];
  for (const { name } of results) {
    const block = solvedBlock(name);
    if (block === undefined) continue;
    const [error = NaN, size = NaN, fault = 0, time = NaN] = await instance.read(name);
    if (fault === solverFaults.turning && use === 'derivatives') {
      const turning = { time: NaN, why: 'turning' } as const;
      errors.push({ block, error, size, stopped: turning, unknowns: searchedIn(model, block).slice(time, time + 1) });
      continue;
    }
    const why = (Object.keys(reasons) as (keyof typeof reasons)[]).find((each) => solverFaults[each] === fault);
    // Equations that are solved have no error of steps.
    if (error === 0 && size < 0) continue;
    const unset = Number.isFinite(error) ? [] : unsetIn(model, block, parameters);
    errors.push({
      ...{ block, error, size },
      ...(why && { stopped: { time, why } }),
      ...(hasEvents(model, block) && { events: true as const }),
      ...(unset.length > 0 && { unset }),
      ...(size < 0 && { unknowns: searchedIn(model, block) }),
    });
  }
  return errors;
}

function hasEvents(model: Model, id: string): boolean {
  const block = model.blocks.get(id)?.node.block;
  return block?.kind === 'ode' && (block.events ?? []).some((event) => 'when' in event);
}

/** What equations are solved for: unknowns, and at an infinite time states. */
function searchedIn(model: Model, id: string): string[] {
  const block = model.blocks.get(id)?.node.block;
  if (block?.kind === 'solve') return Object.keys(block.unknown);
  return block?.kind === 'ode' ? stateNames(block) : [];
}

/** What a solution is made of and nobody has given a number, as a file from elsewhere may leave it. */
function unsetIn(model: Model, id: string, parameters: ParameterValues): string[] {
  return upstreamOf(model, [{ block: id, output: 0 }]).flatMap((each) => {
    const { block } = model.blocks.get(each)!.node;
    if (block.kind === 'parameter') return block.initial === 'NaN' && !(each in parameters) ? [each] : [];
    if (block.kind === 'constant') return block.value === 'NaN' ? [each] : [];
    if (block.kind !== 'ode') return [];
    return Object.entries(block.state).flatMap(([state, { initial }]) => (initial === 'NaN' ? [state] : []));
  });
}

/** Whether anything in the model is solved, by steps of time or for unknowns. */
export function isSolved({ blocks }: Model): boolean {
  return [...blocks.values()].some(({ node }) => node.block.kind === 'ode' || node.block.kind === 'solve');
}

/** Of every ode block that the request reads; empty where it reads none. */
export async function solverErrors(
  model: Model,
  device: Device,
  request: Pick<LowerRequest, 'outputs' | 'objective'>,
  parameters: ParameterValues,
  use: SolutionUse,
): Promise<SolverError[]> {
  if (!isSolved(model)) return [];
  const lowered = lowerModel(model, { ...request, solverErrors: true });
  const { results } = lowered.program;
  if (!results.some(({ name }) => solvedBlock(name) !== undefined)) return [];
  const instance = await startInstance(device, lowered);
  try {
    writeParameters(instance, lowered, parameters);
    await instance.run();
    return await readSolverErrors(instance, results, model, parameters, use);
  } finally {
    instance.release();
  }
}
