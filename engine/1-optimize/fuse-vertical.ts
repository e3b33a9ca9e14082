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
import type { Statement } from '../0-ir/program.ts';
import { sizeProduct } from '../0-ir/sizes.ts';
import { sameShape } from '../0-ir/types.ts';
import { absorb, isConsumer, type Consumer, type MapStatement } from './fuse-map-into.ts';
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
  const statements: (Statement | undefined)[] = [...program.statements];
  const readers = new Readers(statements);
  const pinned = new Set([...keep, ...program.results.map(({ value }) => value.id)]);
  let changed = false;

  const changes = (statement: Statement): boolean => varying.has(statement.results[0]!.id);
  const isPinned = ({ results }: Statement): boolean => results.some((result) => pinned.has(result.id));
  const mayFuse = (producer: MapStatement, at: number, consumer: Consumer, before: number): boolean => {
    if (isPinned(producer)) return false;
    const work = workOf(producer.construct.function);
    const { shape } = producer.construct;
    const fits =
      work <= cheap || sameShape(shape, consumer.shape) || sizeProduct(shape) === sizeProduct(consumer.shape);
    if (!fits || work + before > kernelLimit) return false;
    if (work > cheap && changes(statements[at]!) && !changes(producer)) return false;
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

  /** A producer that nobody reads any more goes, and so do those that only it kept; those that remain of the latter. */
  const drop = (producer: MapStatement): MapStatement[] => {
    const left = [producer];
    const waiting = [producer];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (isPinned(one) || readers.of(one).length > 0 || !readers.remove(one)) continue;
      const sources = readers.producersOf(one.construct);
      waiting.push(...sources);
      left.push(...sources);
    }
    return left;
  };

  /** What the consumer takes in, each producer after those that it reads. Its inputs run ahead of its function. */
  const takeInto = (consumer: Consumer, at: number): MapStatement[] => {
    let work = workOfConsumer(consumer);
    const taken = new Set<MapStatement>();
    const produced = new Set<number>();
    // Whether a producer may enter changes only with who else reads it, and then it is put here again.
    const waiting = new Set(readers.producersOf(consumer));
    for (const producer of waiting) {
      waiting.delete(producer);
      if (taken.has(producer) || !mayFuse(producer, at, consumer, work)) continue;
      taken.add(producer);
      work += workOf(producer.construct.function);
      for (const { id } of producer.results) {
        produced.add(id);
        readers.delete(id, at);
      }
      for (const { id } of producer.construct.inputs) if (!produced.has(id)) readers.add(id, at);
      for (const source of readers.producersOf(producer.construct)) waiting.add(source);
      for (const source of drop(producer)) waiting.add(source);
    }
    return [...taken].sort((a, b) => readers.placeOf(a) - readers.placeOf(b));
  };

  for (let at = statements.length - 1; at >= 0; at--) {
    const statement = statements[at];
    if (!statement || !isConsumer(statement.construct)) continue;
    const taken = takeInto(statement.construct, at);
    if (taken.length === 0) continue;
    // The function is composed once, at the end, for every composition copies all of it.
    statements[at] = { ...statement, construct: absorb(statement.construct, taken) };
    changed = true;
  }
  return changed ? { ...program, statements: statements.filter((statement) => statement !== undefined) } : program;
};

/** Whether the consumer reads the producer as elements alone: not as keys, flags, contents or invariants too. */
function readsAsInputs(consumer: Consumer, producer: MapStatement): boolean {
  if (consumer.kind === 'map' || consumer.kind === 'reduce') return true;
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

  /** Statements are looked up in the list itself, by their places. */
  constructor(statements: (Statement | undefined)[]) {
    this.statements = statements;
    statements.forEach((statement, at) => {
      if (!statement) return;
      for (const { id } of statement.results) this.places.set(id, at);
      for (const { id } of operandsOf(statement.construct)) this.add(id, at);
    });
  }

  /** The maps that make the inputs. */
  producersOf({ inputs }: Consumer): MapStatement[] {
    const producers = new Set<MapStatement>();
    for (const { id } of inputs) {
      const place = this.places.get(id);
      const definition = place === undefined ? undefined : this.statements[place];
      if (definition?.construct.kind === 'map') producers.add(definition as MapStatement);
    }
    return [...producers];
  }

  placeOf(statement: Statement): number {
    return this.places.get(statement.results[0]!.id)!;
  }

  /** Positions of the statements that read any of its results. */
  of(statement: Statement): number[] {
    return [...new Set(statement.results.flatMap(({ id }) => [...(this.readers.get(id) ?? [])]))];
  }

  add(id: number, at: number): void {
    const known = this.readers.get(id);
    if (known) known.add(at);
    else this.readers.set(id, new Set([at]));
  }

  delete(id: number, at: number): void {
    this.readers.get(id)?.delete(at);
  }

  /** Whether the statement was still there. */
  remove(statement: Statement): boolean {
    const at = this.placeOf(statement);
    if (!this.statements[at]) return false;
    for (const { id } of operandsOf(statement.construct)) this.delete(id, at);
    this.statements[at] = undefined;
    return true;
  }
}
