/** What the kernels of a sweep have in common: an element at a place of the axis, and what is written there. */
import { resultTypes } from '../../../0-ir/scalar.ts';
import { withoutAxis } from '../../../0-ir/types.ts';
import type { SweepStep } from '../../../3-plan/plan.ts';
import { KernelWriter, readSource } from '../wgsl/kernel-writer.ts';
import { Space } from '../wgsl/space.ts';
import type { SeenScan, Swept } from './swept.ts';
import { elementsAlong, outputsAlong, placeAlong, Tuple } from '../combine/tuple.ts';

/** Of scratch: tiles' totals, what they begin with, doubt, and of a thread alone the prefixes and what it carries. */
export const areas = { totals: 0, left: 1, right: 2, doubt: 3, prefixes: 4, carried: 5 } as const;
/** Of groups of tiles. */
export const groupAreas = { totals: 6, left: 7, right: 8 } as const;

/** `result` is the i32 variable that counts the points without the axis. */
export function beginSweep(step: SweepStep, swept: Swept, result: string) {
  const { axis, domain, outputs } = step;
  const writer = new KernelWriter();
  const space = new Space(writer, withoutAxis(domain, axis), result);
  const tuple = new Tuple(writer, swept.operator);
  const elements = elementsAlong(tuple, writer, space, axis, swept.inputs, swept.prologue);
  const written = outputsAlong(writer, space, axis, outputs);
  const call = writer.function('epilogue', swept.epilogue);
  const types = resultTypes(swept.epilogue);
  const besides = swept.beside.map((source, i) =>
    typeof source === 'number' ? undefined : { source, base: placeAlong(writer, space, axis, source), name: `z${i}` },
  );
  return {
    writer,
    tuple,
    element: elements.call,
    length: writer.size(domain[axis]!),
    declarations: () => [...space.declarations(), ...elements.declarations],
    points: {
      declarations: [
        ...written.declarations,
        ...besides.flatMap((beside) => (beside ? [`let ${beside.name} = ${beside.base};`] : [])),
      ],
      /** What is seen of a tuple; where there is `none`, neutral elements. */
      seen: ({ components, types: seenTypes, neutral }: SeenScan, value: string, none: string): string[] =>
        components.map((c, i) => {
          const literal = writer.literal(seenTypes[i] ?? 'real', neutral[i]!);
          return `select(${value}.c${c}, ${literal}, ${none})`;
        }),
      /** Statements that write what is made at a place of the element there and of what is seen. */
      write(at: string, element: string, seen: readonly string[]): string[] {
        const others = swept.beside.map((source, i) => {
          const beside = besides[i];
          if (!beside) return `${element}.c${source as number}`;
          return readSource(
            writer,
            beside.source,
            `${beside.name} + ${at} * ${writer.size(beside.source.strides[axis]!)}`,
          );
        });
        const stores = types.map((type, i) =>
          writer.store(type, written.places(at)[i] ?? '', types.length === 1 ? 'made' : `made.r${i}`),
        );
        return [`let made = ${call([...seen, ...others])};`, ...stores];
      },
    },
  };
}
