/**
 * Many sequential algorithms, one batch: each lane is an ordinary asynchronous function that asks for a value and waits.
 * Once every lane waits, all questions are answered at once. So optimisers, profiles and Markov chains that know nothing
 * of each other advance together on one ensemble, and a lane that has ended costs nothing more.
 *
 *     const results = await inLanes(starts, answerAll, (start, ask) => levenbergMarquardt(ask, all, start, options));
 */

import type { Asking } from '../asking.ts';

/** Answers one question for each lane that waits, in their order. */
export type AnswerAll<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

/** At most `most` lanes at a time; the others begin as those end. The first error of any lane is thrown. */
export async function inLanes<T, Q, A, R>(
  tasks: readonly T[],
  answerAll: AnswerAll<Q, A>,
  lane: (task: T, ask: (question: Q) => Promise<A>, index: number) => Promise<R>,
  most = 256,
): Promise<R[]> {
  interface Waiting {
    readonly question: Q;
    readonly resolve: (answer: A) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let active = Math.min(most, tasks.length);
  let next = 0;
  const results: R[] = [];

  const flush = (): void => {
    if (waiting.length === 0 || waiting.length < active) return;
    const asked = waiting;
    waiting = [];
    answerAll(asked.map(({ question }) => question)).then(
      (answers) => asked.forEach(({ resolve }, i) => resolve(answers[i] as A)),
      (error: unknown) => asked.forEach(({ reject }) => reject(error)),
    );
  };
  const ask = (question: Q): Promise<A> =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      flush();
    });
  const work = async (): Promise<void> => {
    try {
      for (let i = next++; i < tasks.length; i = next++) results[i] = await lane(tasks[i] as T, ask, i);
    } finally {
      active--;
      flush();
    }
  };
  await Promise.all(Array.from({ length: active }, work));
  return results;
}

/** How lanes that yield their questions begin and end. */
export interface Steps<T, Q, A, R> {
  readonly begin: (task: T, index: number) => Asking<Q, A, R>;
  /** The result of a lane to which no answer came. Without it the error is thrown. */
  readonly stopped?: (task: T, error: unknown) => R;
  readonly onEnd?: () => void;
}

/** As `inLanes`, of algorithms that yield their questions: a promise for each takes longer than a step of a small problem. */
export async function inStep<T, Q, A, R>(
  tasks: readonly T[],
  answerAll: AnswerAll<Q, A>,
  { begin, stopped, onEnd }: Steps<T, Q, A, R>,
  most = 256,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let waiting: { readonly index: number; readonly asking: Asking<Q, A, R>; question: Q }[] = [];
  const end = (index: number, result: R): void => {
    results[index] = result;
    onEnd?.();
  };
  const beginMore = (): void => {
    while (waiting.length < most && next < tasks.length) {
      const index = next++;
      const asking = begin(tasks[index] as T, index);
      const turn = asking.next();
      if (turn.done) end(index, turn.value);
      else waiting.push({ index, asking, question: turn.value });
    }
  };
  for (beginMore(); waiting.length > 0; beginMore()) {
    const asked = waiting;
    waiting = [];
    try {
      const answers = await answerAll(asked.map(({ question }) => question));
      for (let i = 0; i < asked.length; i++) {
        const lane = asked[i] as (typeof asked)[number];
        const turn = lane.asking.next(answers[i] as A);
        if (turn.done) end(lane.index, turn.value);
        else {
          lane.question = turn.value;
          waiting.push(lane);
        }
      }
    } catch (error) {
      if (!stopped) throw error;
      for (const { index } of asked) if (!(index in results)) end(index, stopped(tasks[index] as T, error));
      // Those that have not begun would be told the same.
      for (; next < tasks.length; next++) results[next] = stopped(tasks[next] as T, error);
      waiting = [];
    }
  }
  return results;
}
