/**
 * A sequential algorithm that yields what it asks and is resumed with the answer: it knows nothing of how it is answered,
 * one question at a time (here) or those of many such algorithms together (ensembles/lanes.ts).
 */
export type Asking<Q, A, R> = Generator<Q, R, A>;

/** Runs it to its end. An error of `answer` ends it, and is thrown. */
export async function answered<Q, A, R>(asking: Asking<Q, A, R>, answer: (question: Q) => Promise<A>): Promise<R> {
  let turn = asking.next();
  while (!turn.done) turn = asking.next(await answer(turn.value));
  return turn.value;
}

/** The same, with each of its questions put in another way. */
export function* putting<P, Q, A, R>(asking: Asking<P, A, R>, put: (question: P) => Q): Asking<Q, A, R> {
  let turn = asking.next();
  while (!turn.done) turn = asking.next(yield put(turn.value));
  return turn.value;
}
