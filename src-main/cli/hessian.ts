/** `hessian`: second derivatives over every element of every parameter, or their product with a vector. */
import { hessian as compute } from '../compute/hessian.ts';
import { parseOption } from '../compute/derivatives/sources.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printColumns, printJson, shown } from './output/output.ts';

interface HessianOptions extends ModelOptions {
  readonly of?: string;
  readonly vector?: string;
}

export async function hessian(path: string, options: HessianOptions): Promise<void> {
  const vector = options.vector === undefined ? undefined : parseOption(options.vector, '--vector');
  const result = await withModel(
    path,
    options,
    (model, device) => compute(model, { of: options.of, vector }, device),
    options.of === undefined ? [] : [options.of],
  );
  if (options.json) {
    printJson(result);
    return;
  }
  const { parameters, hessian: rows, product } = result;
  const numbers = new Set(parameters.map((_, column) => column + 1));
  if (rows)
    printColumns([['', ...parameters], ...parameters.map((name, i) => [name, ...(rows[i] ?? []).map(shown)])], numbers);
  else
    printColumns(
      parameters.map((name, i) => [name, shown(product?.[i] ?? NaN)]),
      numbers,
    );
}
