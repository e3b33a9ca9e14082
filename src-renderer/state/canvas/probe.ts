/** What a probe reads at a wire: the value that flows there, or in the adjoint view the derivative by it. */
import type { ArrayValue } from '../../../src-main/contract/contract.ts';
import { missingText } from '../adjoints/adjoint-view.ts';
import type { WireAdjoint } from '../adjoints/nan-origins.ts';
import { formatNumber } from '../words/number-format.ts';
import { shapeText } from '../document/ports.ts';
import { placeText, statisticsOf } from '../words/statistics.ts';

export interface Reading {
  readonly title: string;
  /** Element type, shape and unit. */
  readonly type: string;
  readonly values: ArrayLike<number>;
  /** One number, in place of plots. */
  readonly single: string | undefined;
  readonly statistics: string;
}

function rangeText(values: ArrayLike<number>): string {
  const { least, mean, greatest } = statisticsOf(values);
  if (Number.isNaN(least)) return 'nothing finite';
  return `min ${formatNumber(least, 'rough')}, mean ${formatNumber(mean, 'rough')}, max ${formatNumber(greatest, 'rough')}`;
}

export function readValue(source: string, { element, shape, values }: ArrayValue, unit: string): Reading {
  const { missing, infinite, mean } = statisticsOf(values);
  const scalar = shape.length === 0;
  const one = values[0] ?? NaN;
  const single = element === 'bool' ? String(one === 1) : Number.isNaN(one) ? 'NaN' : formatNumber(one, 'finest');
  const missed = missing === 0 ? 'no NaN' : `${missing} NaN, the first at ${placeText(shape, firstNan(values))}`;
  return {
    title: source,
    type: [element, shapeText(shape), unit].filter(Boolean).join(' '),
    values,
    single: scalar ? single : undefined,
    statistics: scalar
      ? ''
      : element === 'bool'
        ? `${formatNumber(100 * mean, 3)} % true`
        : [rangeText(values), missed, infinite > 0 ? `${infinite} infinite` : ''].filter(Boolean).join(', '),
  };
}

function firstNan(values: ArrayLike<number>): number {
  let at = 0;
  while (at < values.length && !Number.isNaN(values[at])) at++;
  return at;
}

/** Of a long wire the engine sends some elements; the largest and the count of NaN are those of all. */
export function readAdjoint(source: string, name: string, wire: WireAdjoint): Reading {
  const { shape, sample, largest } = wire;
  const count = shape.reduce((product, size) => product * size, 1);
  const scalar = shape.length === 0;
  const one = sample[0] ?? NaN;
  const range = sample.length < count ? `largest ${formatNumber(largest, 'rough')}` : rangeText(sample);
  const some = sample.length < count ? `${sample.length} of ${count} elements drawn` : '';
  return {
    title: `∂${name}/∂${source}`,
    type: shapeText(shape),
    values: sample,
    single: scalar ? (Number.isNaN(one) ? 'NaN' : formatNumber(one, 'finest')) : undefined,
    statistics: scalar ? '' : [range, missingText(wire), some].filter(Boolean).join(', '),
  };
}
