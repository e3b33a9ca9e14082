/**
 * Producer maps go into their consumers, so that what they compute is never written to memory:
 *
 * - where all that reads the producer is one consumer over a domain as large: always, except that into a recurrence,
 *   whose steps wait for each other, only little work is taken;
 * - where it has several consumers, or a smaller domain whose elements the consumer would repeat: only when computing
 *   is no more work than loading;
 * - never where the producer is a result or kept, for then it is in memory anyway;
 * - what does not change from run to run stays out of what does, unless it costs as little.
 */
import { operandsOf } from '../0-ir/operands.ts';
import type { Program, Statement, Value } from '../0-ir/program.ts';
import { sizeProduct } from '../0-ir/sizes.ts';
import { sameShape } from '../0-ir/types.ts';
import { absorb, inputsAfter, isConsumer, type Consumer, type MapStatement } from './fuse-map-into.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';
import { cheap, workOf } from './work.ts';

/** In additions per step of a recurrence. */
const recurrenceLimit = 8;

/** In additions: kernels beyond take long to compile. */
const kernelLimit = 20_000;

export const fuseVertical: Rewrite = (program, context) => {
  const { keep } = context;
  const varying = varyingValues(program, context.varying);
  const readers = new Readers(program);
  const pinned = new Set([...keep, ...program.results.map(({ value }) => value.id)]);
  const statements: (Statement | undefined)[] = [...program.statements];
  let changed = false;

  const changes = (statement: Statement): boolean => varying.has((statement.results[0] as Value).id);
  const isPinned = ({ results }: Statement): boolean => results.some((result) => pinned.has(result.id));
  const mayFuse = (producer: MapStatement, at: number, consumer: Consumer, before: number): boolean => {
    if (isPinned(producer)) return false;
    const work = workOf(producer.construct.function);
    const { shape } = producer.construct;
    const fits =
      work <= cheap || sameShape(shape, consumer.shape) || sizeProduct(shape) === sizeProduct(consumer.shape);
    if (!fits || work + before > kernelLimit) return false;
    if (work > cheap && changes(statements[at] as Statement) && !changes(producer)) return false;
    if (consumer.kind === 'recurrence' && work > recurrenceLimit) return false;
    const places = readers.of(producer);
    if (places.every((place) => place === at)) return readsAsInputs(consumer, producer);
    return (
      work <= cheap &&
      places.every((place) => {
        const reader = statements[place]?.construct;
        return reader !== undefined && isConsumer(reader) && readsAsInputs(reader, producer);
      })
    );
  };

  /** A producer that nobody reads any more goes, and so do those that only it kept. */
  const drop = (producer: MapStatement): void => {
    const waiting = [producer];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      const place = readers.placeOf(one);
      if (!statements[place] || isPinned(one) || readers.of(one).length > 0) continue;
      waiting.push(...producersOf(one.construct, readers));
      readers.replace(place, one, undefined);
      statements[place] = undefined;
    }
  };

  for (let at = statements.length - 1; at >= 0; at--) {
    const before = statements[at];
    if (!before || !isConsumer(before.construct)) continue;
    // Its inputs run ahead; the function is composed once, at the end, for every composition copies all of it.
    let consumer = before.construct;
    let work = workOfConsumer(consumer);
    const taken: MapStatement[] = [];
    const produced = new Set<number>();
    for (;;) {
      const producers = producersOf(consumer, readers).filter((candidate) => mayFuse(candidate, at, consumer, work));
      if (producers.length === 0) break;
      for (const producer of producers) {
        taken.push(producer);
        work += workOf(producer.construct.function);
        for (const { id } of producer.results) produced.add(id);
      }
      const next = { ...consumer, inputs: inputsAfter(consumer.inputs, producers, produced) };
      const ahead: Statement = { ...before, construct: next };
      readers.replace(at, { ...before, construct: consumer }, ahead);
      statements[at] = ahead;
      consumer = next;
      producers.forEach(drop);
    }
    if (taken.length === 0) continue;
    taken.sort((a, b) => readers.placeOf(a) - readers.placeOf(b));
    const fused: Statement = { ...before, construct: absorb(before.construct, taken) };
    readers.replace(at, statements[at] as Statement, fused);
    statements[at] = fused;
    changed = true;
  }
  return changed ? { ...program, statements: statements.filter((statement) => statement !== undefined) } : program;
};

function producersOf(consumer: Consumer, readers: Readers): MapStatement[] {
  const producers = new Set<MapStatement>();
  for (const input of consumer.inputs) {
    const definition = readers.definition(input);
    if (definition?.construct.kind === 'map') producers.add(definition as MapStatement);
  }
  return [...producers];
}

/** Whether the consumer reads the producer as elements alone: not as keys, flags, contents or invariants too. */
function readsAsInputs(consumer: Consumer, producer: MapStatement): boolean {
  const apart = operandsOf({ ...consumer, inputs: [] });
  return !apart.some((value) => producer.results.some((result) => result.id === value.id));
}

function workOfConsumer(consumer: Consumer): number {
  const fn = 'function' in consumer ? consumer.function : 'step' in consumer ? consumer.step : consumer.prologue;
  return fn ? workOf(fn) : 0;
}

/** Who defines and who reads each value while statements change. */
class Readers {
  private readonly places = new Map<number, number>();
  private readonly statements: (Statement | undefined)[];
  private readonly readers = new Map<number, Set<number>>();

  constructor(program: Program) {
    this.statements = [...program.statements];
    program.statements.forEach((statement, at) => {
      for (const { id } of statement.results) this.places.set(id, at);
      this.add(at, statement);
    });
  }

  definition(value: Value): Statement | undefined {
    const place = this.places.get(value.id);
    return place === undefined ? undefined : this.statements[place];
  }

  placeOf(statement: Statement): number {
    return this.places.get((statement.results[0] as Value).id) as number;
  }

  /** Positions of the statements that read any of its results. */
  of(statement: Statement): number[] {
    return [...new Set(statement.results.flatMap(({ id }) => [...(this.readers.get(id) ?? [])]))];
  }

  replace(at: number, before: Statement, after: Statement | undefined): void {
    for (const { id } of operandsOf(before.construct)) this.readers.get(id)?.delete(at);
    this.statements[at] = after;
    if (after) this.add(at, after);
  }

  private add(at: number, statement: Statement): void {
    for (const { id } of operandsOf(statement.construct)) {
      const known = this.readers.get(id) ?? new Set();
      this.readers.set(id, known.add(at));
    }
  }
}
