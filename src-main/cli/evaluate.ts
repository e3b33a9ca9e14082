/** `evaluate`: values of outputs. */
import { createEvaluator } from '../compute/evaluate.ts';
import { solverErrors } from '../compute/solver-errors.ts';
import { asRefused } from '../compute/refusals.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { odeErrorJson, printSolverErrors } from './solver-errors.ts';
import { nested, printColumns, printJson, record, shownNested } from './output.ts';

export async function evaluate(path: string, options: ModelOptions & { output: readonly string[] }): Promise<void> {
  const { values, errors } = await withModel(path, options, async (model, device) => {
    try {
      const evaluator = await createEvaluator(model, options.output, device);
      const found = await evaluator.at({});
      evaluator.release();
      return {
        values: [...found].map(([id, value]) => [id, nested(value.element, value.values, value.shape)] as const),
        errors: await solverErrors(model, device, { outputs: options.output }, {}),
      };
    } catch (error) {
      throw asRefused(error);
    }
  });
  if (options.json) printJson({ values: record(values), ...odeErrorJson(errors) });
  else {
    printColumns(values.map(([id, value]) => [id, shownNested(value)]));
    printSolverErrors(errors);
  }
}
