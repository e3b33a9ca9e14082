/**
 * One request at a time, and after it only the newest of those that came meanwhile: what a slider needs, whose every
 * position asks for a curve and whose last one must get it.
 */
export function latest<A, R>(
  run: (argument: A) => Promise<R>,
  done: (result: R, argument: A) => void,
  failed: (error: unknown, argument: A) => void,
): (argument: A) => void {
  let running = false;
  let waiting: { readonly argument: A } | undefined;
  const start = async (argument: A): Promise<void> => {
    running = true;
    try {
      const result = await run(argument);
      done(result, argument);
    } catch (error) {
      failed(error, argument);
    }
    running = false;
    const next = waiting;
    waiting = undefined;
    if (next) void start(next.argument);
  };
  return (argument) => {
    if (running) waiting = { argument };
    else void start(argument);
  };
}

/** Calls after a pause of `milliseconds`; `now` calls at once what waits. */
export interface Deferred {
  (): void;
  now(): void;
  cancel(): void;
}

export function deferred(milliseconds: number, call: () => void): Deferred {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const fire = () => {
    cancel();
    call();
  };
  return Object.assign(
    () => {
      cancel();
      timer = setTimeout(fire, milliseconds);
    },
    {
      now: () => {
        if (timer !== undefined) fire();
      },
      cancel,
    },
  );
}

/** Of something that is awaited for longer than a time. */
export interface Overdue {
  /** It is awaited from now on, where it was not. */
  begin(): void;
  /** It is awaited no more. */
  came(): void;
  /** Something came, of before it was asked for last: where the time is not over it begins again. */
  cameLate(): void;
  /** It has been awaited for longer. */
  isOver(): boolean;
}

/** Calls when what is awaited has not come within `milliseconds`, and each time that something of before comes then. */
export function overdue(milliseconds: number, call: () => void): Overdue {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const start = () => {
    timer = setTimeout(() => {
      timer = undefined;
      over = true;
      call();
    }, milliseconds);
  };
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return {
    begin: () => {
      if (timer === undefined && !over) start();
    },
    came: () => {
      stop();
      over = false;
    },
    cameLate: () => {
      if (over) {
        call();
        return;
      }
      stop();
      start();
    },
    isOver: () => over,
  };
}
