/** `differentiate`: adjoints in reverse mode, or a tangent in forward mode. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { Numbers } from '../compute/running/derived.ts';
import { forward, reverse } from '../compute/differentiate.ts';
import { parseOption } from '../compute/derivatives/sources.ts';
import { Refused } from '../refused.ts';
import { withModel } from './model.ts';
import { parseRules, type ModelOptions } from './options.ts';
import { nested, printColumns, printJson, record, shownNested } from './output/output.ts';
import { printUnsolved } from './output/solver-errors.ts';

interface DifferentiateOptions extends ModelOptions {
  readonly of: string;
  readonly wrt?: readonly string[];
  readonly cotangent?: string;
  readonly tangent?: string;
  readonly rule: readonly string[];
}

const json = ({ values, shape }: Numbers): unknown => nested('real', values, shape);

export async function differentiate(path: string, options: DifferentiateOptions): Promise<void> {
  const { of, wrt, cotangent, tangent } = options;
  if (tangent !== undefined && (wrt !== undefined || cotangent !== undefined || options.rule.length > 0))
    throw new Refused('--tangent is forward mode; --wrt, --cotangent and --rule are reverse mode');
  const rules = parseRules(options.rule);
  const direction = tangent === undefined ? undefined : parseOption(tangent, '--tangent');
  const weights = cotangent === undefined ? undefined : parseOption(cotangent, '--cotangent');
  const work = async (model: Model, device: Device): Promise<void> => {
    try {
      if (direction !== undefined) {
        const result = await forward(model, { of, tangent: direction }, device);
        print(options.json, { value: json(result.value), tangent: json(result.tangent) }, []);
        return;
      }
      const result = await reverse(model, { of, wrt, cotangent: weights, rules }, device);
      const adjoints = [...result.adjoints].map(([id, numbers]) => [id, json(numbers)] as const);
      print(options.json, { value: json(result.value), adjoints: record(adjoints) }, adjoints);
    } catch (error) {
      printUnsolved(error, options.json);
    }
  };
  await withModel(path, options, work, [of]);
}

function print(
  asJson: boolean,
  result: { readonly value: unknown; readonly tangent?: unknown; readonly adjoints?: unknown },
  adjoints: readonly (readonly [string, unknown])[],
): void {
  if (asJson) {
    printJson(result);
    return;
  }
  printColumns([
    ['value', shownNested(result.value)],
    ...('tangent' in result ? [['tangent', shownNested(result.tangent)]] : []),
    ...adjoints.map(([id, adjoint]) => [`∂ by ${id}`, shownNested(adjoint)]),
  ]);
}
