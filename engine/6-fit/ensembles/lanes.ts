/**
 * Many sequential algorithms, one batch: each lane is an ordinary asynchronous function that asks for a value and waits.
 * Once every lane waits, all questions are answered at once. So optimisers, profiles and Markov chains that know nothing
 * of each other advance together on one ensemble, and a lane that has ended costs nothing more.
 *
 *     const results = await inLanes(starts, answerAll, (start, ask) => levenbergMarquardt(ask, all, start, options));
 */

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
