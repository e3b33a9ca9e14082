/** Work on the same thing is done in the order in which it was asked for; work on others goes beside it. */
export type InTurn = <T>(things: readonly string[], work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  /** What is last in each row. */
  const tails = new Map<string, Promise<unknown>>();
  return async (things, work) => {
    const turn = Promise.all(things.map((thing) => tails.get(thing) ?? Promise.resolve())).then(work);
    const tail = turn.catch(() => undefined);
    for (const thing of things) tails.set(thing, tail);
    try {
      return await turn;
    } finally {
      for (const thing of things) if (tails.get(thing) === tail) tails.delete(thing);
    }
  };
}
