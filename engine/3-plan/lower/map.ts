import type { ConstructOf } from '../../0-ir/program.ts';
import { resultTypes } from '../../0-ir/scalar.ts';
import type { Site } from '../lowering.ts';
import { accessOf, type Located } from '../view.ts';

/** One step over the domain, all results at once. */
export function lowerMap(c: ConstructOf<'map'>, site: Site): Located[] {
  const outputs = resultTypes(c.function).map((element) => site.allocate(element, c.shape));
  site.lowering.map(site.home, c.shape, c.function, c.inputs.map(site.at), outputs.map(accessOf), site.origin);
  return outputs;
}
