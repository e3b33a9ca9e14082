/**
 * hist = histogram(⊙, keys, vs)  ⇒  as for reduce, in the segment of each bin: sort by key, a segmented scan for the
 * prefixes, suffix products of the Jacobians by the classes of their structure, a map, and back.
 */
import type { Value } from '../../../0-ir/program.ts';
import { realLiteral } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { trailingOnes } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { closedStructure } from '../../structure.ts';
import { decoupled } from '../parts/decoupled.ts';
import { jacobianCost, jacobianRecurrence, storedOf } from '../parts/jacobian-recurrence.ts';
import { keysInRange } from '../parts/keys-in-range.ts';
import { scanCotangents } from '../parts/scan-adjoint.ts';
import { sortCost, sortedSegments } from '../parts/sorted-segments.ts';
import { histogramGeneral } from './histogram-general.ts';

export const histogramSortedStructured: VjpRule<'histogram'> = {
  name: 'histogram-sorted-structured',
  construct: 'histogram',
  sweep: 'any',
  example: histogramGeneral.example,
  matches: () => true,
  cost({ operator }) {
    const sort = sortCost(operator);
    const { traffic, operations, passes } = jacobianCost(operator, closedStructure(operator));
    return {
      traffic: sort.traffic + traffic,
      operations: sort.operations + operations,
      passes: sort.passes + passes,
    };
  },
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  ...decoupled({
    values(b, construct, _, cotangents) {
      const { operator, inputs, bins, batch, shape } = construct;
      const segments = sortedSegments(b, construct);
      const { begins: flags, ends } = segments;
      const scan = { operator, shape, axis: batch, inputs: segments.inputs, exclusive: false, reverse: false, flags };
      const prefixes = b.emit({ kind: 'segmented-scan', ...scan });
      const where = (condition: Value, value: Value): Value => b.map(orZero, [condition, value], shape)[0]!;
      const atEnds = cotangents.map(
        (cotangent) => cotangent && where(ends, b.gather(cotangent, segments.keys, 'zero', batch)),
      );
      const recurrence = jacobianRecurrence(closedStructure(operator));
      const adjoints = scanCotangents(b, scan, recurrence, prefixes, atEnds);
      const inRange = trailingOnes(b, keysInRange(b, segments.keys, bins), shape.length);
      return inputs.map((input, i) => {
        const adjoint = adjoints[i];
        return adjoint && segments.unsort(where(inRange, adjoint), input);
      });
    },
  }),
};

const orZero = scalarFunction(['bool', 'real'], (s, condition, value) =>
  s.branch(
    condition,
    () => [value],
    () => [realLiteral(0)],
  ),
);
