/**
 * Many sequential algorithms, one batch: each lane is an ordinary asynchronous function that asks for a value and waits.
 * Once every lane waits, all questions are answered at once. So optimisers, profiles and Markov chains that know nothing
 * of each other advance together on one ensemble, and a lane that has ended costs nothing more.
 *
 *     const results = await inLanes(starts, answerAll, (start, ask) => levenbergMarquardt(ask, all, start, options));
 */

import type { Asking } from '../asking.ts';
import { isCancelled } from '../problem.ts';

/** Answers one question for each lane that waits, in their order. */
export type AnswerAll<Q, A> = (questions: readonly Q[]) => Promise<readonly A[]>;

export interface LaneOptions {
  /** Lanes at a time; the others begin as those end. */
  readonly most?: number;
  /** Once word 0 is not 0 no further lane begins, however many wait. */
  readonly cancel?: Int32Array | undefined;
}

/** The results in the order of the tasks, absent where the lane was not begun. The first error of any lane is thrown. */
export async function inLanes<T, Q, A, R>(
  tasks: Iterable<T>,
  answerAll: AnswerAll<Q, A>,
  lane: (task: T, ask: (question: Q) => Promise<A>, index: number) => Promise<R>,
  { most = 256, cancel }: LaneOptions = {},
): Promise<R[]> {
  interface Waiting {
    readonly question: Q;
    readonly resolve: (answer: A) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let active = most;
  const ahead = tasks[Symbol.iterator]();
  let next = 0;
  const results: R[] = [];

  const flush = (): void => {
    if (waiting.length === 0 || waiting.length < active) return;
    const asked = waiting;
    waiting = [];
    answerAll(asked.map(({ question }) => question)).then(
      (answers) => asked.forEach(({ resolve }, i) => resolve(answers[i]!)),
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
      while (!isCancelled(cancel)) {
        const task = ahead.next();
        if (task.done) return;
        const index = next++;
        results[index] = await lane(task.value, ask, index);
      }
    } finally {
      active--;
      flush();
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}

/** How lanes that yield their questions begin and end. */
export interface Steps<T, Q, A, R> {
  readonly begin: (task: T, index: number) => Asking<Q, A, R>;
  /** The result of a lane to which no answer came. Without it the error is thrown. */
  readonly stopped?: (task: T, error: unknown) => R;
  /** Hears the result of each lane, as they end. */
  readonly onEnd: (result: R, index: number) => void;
}

/**
 * As `inLanes`, of algorithms that yield their questions: a promise for each takes longer than a step of a small problem.
 * Where the answers stop, so do the lanes that wait for one; those that have not begun never do.
 */
export async function inStep<T, Q, A, R>(
  tasks: Iterable<T>,
  answerAll: AnswerAll<Q, A>,
  { begin, stopped, onEnd }: Steps<T, Q, A, R>,
  most = 256,
): Promise<void> {
  interface Lane {
    readonly task: T;
    readonly index: number;
    readonly asking: Asking<Q, A, R>;
    question: Q;
  }
  const ahead = tasks[Symbol.iterator]();
  let next = 0;
  let waiting: Lane[] = [];
  const beginMore = (): void => {
    while (waiting.length < most) {
      const { value: task, done } = ahead.next();
      if (done) return;
      const index = next++;
      const asking = begin(task, index);
      const turn = asking.next();
      if (turn.done) onEnd(turn.value, index);
      else waiting.push({ task, index, asking, question: turn.value });
    }
  };
  for (beginMore(); waiting.length > 0; beginMore()) {
    const asked = waiting;
    waiting = [];
    let answers: readonly A[];
    try {
      answers = await answerAll(asked.map(({ question }) => question));
    } catch (error) {
      if (!stopped) throw error;
      for (const { task, index } of asked) onEnd(stopped(task, error), index);
      return;
    }
    for (let i = 0; i < asked.length; i++) {
      const lane = asked[i]!;
      const turn = lane.asking.next(answers[i]!);
      if (turn.done) onEnd(turn.value, lane.index);
      else {
        lane.question = turn.value;
        waiting.push(lane);
      }
    }
  }
}
