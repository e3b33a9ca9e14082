/** Values of a model's outputs at values of its parameters. */
import type { Device } from '../../engine/index.ts';
import { findOutput, namesObjective, type Model } from '../../models/load/model.ts';
import { upstreamOf } from '../../models/plots/comparisons.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { DocumentError, type Problem } from '../../models/notation/problem.ts';
import type { ArrayValue } from '../contract/contract.ts';
import { Refused, type SolverError } from '../refused.ts';
import { asRefused } from './running/refusals.ts';
import { isIntegrated, marginalObjective } from './fit/marginal.ts';
import { arrayValue, startInstance, writeParameters, type ParameterValues } from './running/run.ts';
import { demandSolved, isSolved, readSolverErrors } from './running/solver-errors.ts';

/** A program for some outputs, ready to run at one point of the parameters after another. */
export interface Evaluator {
  /** Throws `Refused` where the run meets a fault, `Unsolved` where a differential equation has no solution. */
  at(parameters: ParameterValues): Promise<Map<string, ArrayValue>>;
  /** Of what the last run solved by steps. */
  errors(): readonly SolverError[];
  release(): void;
}

/** `outputs` are references; throws `DocumentError` where one leads nowhere. */
export async function createEvaluator(model: Model, outputs: readonly string[], device: Device): Promise<Evaluator> {
  const unique = [...new Set(outputs)];
  const lowered = lowerModel(model, { outputs: unique, solverErrors: isSolved(model) });
  let errors: readonly SolverError[] = [];
  const links = unique.map((reference) => {
    if (namesObjective(model, reference)) return [reference, undefined] as const;
    const link = findOutput(model, reference);
    if ('message' in link) throw new DocumentError([link]);
    return [reference, link] as const;
  });
  const instance = await startInstance(device, lowered);
  return {
    async at(parameters) {
      writeParameters(instance, lowered, parameters);
      try {
        await instance.run();
      } catch (error) {
        throw asRefused(error);
      }
      errors = await readSolverErrors(instance, lowered.program.results, model, parameters);
      demandSolved(errors);
      const values = new Map<string, ArrayValue>();
      for (const [reference, link] of links) {
        const read = isIntegrated(model, reference)
          ? Float64Array.of((await marginalObjective(model, parameters)).value)
          : await instance.read(reference);
        values.set(reference, arrayValue(model, link, read));
      }
      return values;
    },
    errors: () => errors,
    release: () => instance.release(),
  };
}

/** A warning where outputs are computed of random effects, which are 0 unless a document says where they are. */
export function ofMiddleGroup(model: Model, outputs: readonly string[]): string[] {
  const drawn = [...model.blocks].flatMap(([id, { node }]) => (node.block.kind === 'random-effect' ? [id] : []));
  const of = outputs.filter((reference) => {
    if (isIntegrated(model, reference)) return false;
    const link = findOutput(model, reference);
    return !('message' in link) && upstreamOf(model, [link]).some((id) => drawn.includes(id));
  });
  const quoted = of.map((reference) => `"${reference}"`).join(', ');
  return of.length === 0
    ? []
    : [
        `random effects are 0 here, and ${quoted} of a group in the middle of all: plot tells predictions of each group`,
      ];
}

export interface Evaluation {
  readonly values: Map<string, ArrayValue>;
  readonly faults: Problem[];
}

/**
 * As much as can be had: where the outputs do not run together each is tried alone, and those that fail are told in
 * `faults`. `evaluatorFor` gives an evaluator, kept or new.
 */
export async function evaluateAll(
  outputs: readonly string[],
  parameters: ParameterValues,
  evaluatorFor: (outputs: readonly string[]) => Promise<Evaluator>,
): Promise<Evaluation> {
  try {
    return { values: await (await evaluatorFor(outputs)).at(parameters), faults: [] };
  } catch (caught) {
    const error = asRefused(caught);
    if (!(error instanceof Refused)) throw error;
    if (outputs.length <= 1) {
      const faults: Problem[] =
        error.problems.length > 0 ? [...error.problems] : [{ severity: 'error', message: error.message }];
      return { values: new Map(), faults };
    }
  }
  const values = new Map<string, ArrayValue>();
  const faults: Problem[] = [];
  for (const output of outputs) {
    const alone = await evaluateAll([output], parameters, evaluatorFor);
    for (const [reference, value] of alone.values) values.set(reference, value);
    for (const fault of alone.faults) if (!faults.some(({ message }) => message === fault.message)) faults.push(fault);
  }
  return { values, faults };
}
