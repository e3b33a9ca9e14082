/**
 * A running fit's best point, in the file that will hold its result: what a crash, a cut of power or the end of a node's
 * time leaves. `fit --from FILE` goes on from it, as from any result.
 */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { ParameterValues } from '../../compute/running/run.ts';
import { fitReport, type Progress } from '../../contract/contract.ts';
import { writeTogether, type WholeFile } from '../../files/durable.ts';
import { reviveNumbers, stringify } from '../../json.ts';
import { Refused } from '../../refused.ts';
import { byBlock } from '../output/elements.ts';
import { printWarnings, record } from '../output/output.ts';

const everyMilliseconds = 5000;

/** One that nobody named is no link that is followed. */
export type ResultPlace = Pick<WholeFile, 'path' | 'chosen' | 'of'>;

export async function writeResult(to: ResultPlace, result: object): Promise<void> {
  await writeTogether([{ ...to, content: stringify(result, 2) + '\n' }]);
}

/** What a checkpoint takes of the progress of a fit. */
type Reached = Pick<Extract<Progress, { kind: 'fit' }>, 'meaning' | 'iteration' | 'objective' | 'parameters'>;

export interface Checkpoints {
  take(progress: Reached): void;
  /** Once the last one is written. */
  settled(): Promise<void>;
}

/** At most one every five seconds, and never two at once. The first that cannot be written is told of, and the fit goes on. */
export function checkpointsIn(to: ResultPlace, every = everyMilliseconds): Checkpoints {
  let told = false;
  const tell = (error: unknown): void => {
    if (!told) printWarnings([`a checkpoint is missing: ${error instanceof Error ? error.message : String(error)}`]);
    told = true;
  };
  let writing: Promise<void> | undefined;
  let writtenAt = performance.now();
  return {
    take({ meaning, iteration, objective, parameters }) {
      if (writing || performance.now() - writtenAt < every) return;
      const values = Object.entries(parameters).map(
        ([id, elements]) => [id, { value: elements.length === 1 ? elements[0] : elements }] as const,
      );
      const checkpoint = {
        status: 'running',
        reason: 'the best point so far',
        minimised: objective,
        parameters: record(values),
        iterations: iteration,
        meaning,
      };
      writing = writeResult(to, checkpoint)
        .catch(tell)
        .finally(() => {
          writtenAt = performance.now();
          writing = undefined;
        });
    },
    settled: () => writing ?? Promise.resolve(),
  };
}

export interface Start {
  readonly values: ParameterValues;
  /** Of the model that was fitted, where it is told. */
  readonly meaning: string | undefined;
}

/** The values of parameters in a result, a checkpoint, or the fit that the app keeps beside a document, element by element. */
export async function readStart(path: string): Promise<Start> {
  let parsed: unknown;
  try {
    parsed = reviveNumbers(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new Refused(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const stored = v.safeParse(fitReport, parsed);
  const values = stored.success
    ? [...byBlock(stored.output.estimates)].map(([id, elements]) => [id, elements.map(({ value }) => value)] as const)
    : Object.entries(objectIn(parsed, 'parameters') ?? {}).map(
        ([id, found]) => [id, [objectIn({ found }, 'found')?.['value']].flat(Infinity)] as const,
      );
  if (values.length === 0) throw new Refused(`${path} is no result of a fit: it has no "parameters"`);
  const checked = values.map(([id, elements]) => {
    if (!elements.every((element) => typeof element === 'number'))
      throw new Refused(`${path} is no result of a fit: the value of "${id}" is no number`);
    return [id, elements] as const;
  });
  const meaning = Object.hasOwn(Object(parsed), 'meaning') ? (parsed as { meaning: unknown }).meaning : undefined;
  return { values: record(checked), meaning: typeof meaning === 'string' ? meaning : undefined };
}

function objectIn(value: unknown, key: string): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const inner = (value as Record<string, unknown>)[key];
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : undefined;
}
