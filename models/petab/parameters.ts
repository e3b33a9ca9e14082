/** A row of the parameter table as a block. */
import { fromNumber } from '../notation/numbers.ts';
import type { BlockJson } from '../sbml/blocks.ts';
import type { PetabParameter } from './problem.ts';

export function parameterBlock(
  id: string,
  { where, id: petabId, name, scale, lower, upper, nominal, estimated, prior }: PetabParameter,
  warnings: string[],
): BlockJson {
  const label = name !== undefined && name !== petabId ? { label: name } : {};
  const initial = nominal ?? middle(lower, upper, scale !== 'lin');
  if (!estimated) return { id, kind: 'parameter', ...label, initial: fromNumber(initial), fixed: true };
  if (nominal === undefined)
    warnings.push(
      `${where}: "${petabId}" has no nominalValue, and begins at ${initial}, the middle of its bounds or as near to 0 as they let it`,
    );
  if (initial < lower || initial > upper)
    warnings.push(`the nominal value ${initial} of "${petabId}" lies outside its bounds, which are widened to it`);
  const isLog = scale !== 'lin' && initial > 0;
  if (scale !== 'lin' && !isLog)
    warnings.push(`"${petabId}" has a logarithmic scale and the nominal value ${initial}: it is varied as it is`);
  const [low, high] = [Math.min(lower, initial), Math.max(upper, initial)];
  return {
    id,
    kind: 'parameter',
    ...label,
    initial: fromNumber(initial),
    ...(low > -Infinity && { lower: low }),
    ...(high < Infinity && { upper: high }),
    ...(isLog && { scale: 'log' }),
    ...(prior && { prior }),
  };
}

/** Where nothing is said: the middle of the bounds on the scale. */
function middle(lower: number, upper: number, isLog: boolean): number {
  if (isLog && lower > 0 && upper < Infinity) return Math.sqrt(lower * upper);
  if (lower > -Infinity && upper < Infinity) return (lower + upper) / 2;
  return isLog ? 1 : Math.min(Math.max(0, lower), upper);
}
