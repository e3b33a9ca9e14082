/** `evaluate`: values of outputs. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { createEvaluator, ofMiddleGroup } from '../compute/evaluate.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { type SolverError, Unsolved } from '../refused.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { odeErrorJson, printSolverErrors, printUnsolved } from './output/solver-errors.ts';
import { nested, printColumns, printJson, printWarnings, record, shownNested } from './output/output.ts';

interface Found {
  readonly values: readonly (readonly [id: string, value: unknown])[];
  readonly errors: readonly SolverError[];
}

export async function evaluate(path: string, options: ModelOptions & { output: readonly string[] }): Promise<void> {
  const work = async (model: Model, device: Device): Promise<void> => {
    try {
      const { values, errors } = await valuesOf(model, device, options.output);
      if (options.json) printJson({ values: record(values), ...odeErrorJson(errors) });
      else {
        printWarnings(ofMiddleGroup(model, options.output));
        printColumns(values.map(([id, value]) => [id, shownNested(value)]));
        printSolverErrors(errors);
      }
    } catch (error) {
      printUnsolved(
        error,
        options.json,
        error instanceof Unsolved ? await withoutUnsolved(model, device, options.output) : {},
      );
    }
  };
  await withModel(path, options, work, options.output);
}

async function valuesOf(model: Model, device: Device, outputs: readonly string[]): Promise<Found> {
  try {
    const evaluator = await createEvaluator(model, outputs, device);
    const found = await evaluator.at({}).finally(() => evaluator.release());
    const values = [...found].map(([id, value]) => [id, nested(value.element, value.values, value.shape)] as const);
    return { values, errors: evaluator.errors() };
  } catch (error) {
    throw asRefused(error);
  }
}

/** Each output by itself: null where it rests on a solution that is none. */
async function withoutUnsolved(model: Model, device: Device, outputs: readonly string[]): Promise<object> {
  const values: (readonly [string, unknown])[] = [];
  for (const output of outputs)
    try {
      values.push(...(await valuesOf(model, device, [output])).values);
    } catch (error) {
      if (!(error instanceof Unsolved)) throw error;
      values.push([output, null]);
    }
  return { values: record(values) };
}
