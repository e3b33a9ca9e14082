/** The engine process of one browser page: a Node process of its own, so that its death costs the page nothing. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

export interface EngineChildOptions {
  /** The bundles of engine-process/main.ts and worker.ts. */
  readonly engine: string;
  readonly worker: string;
  readonly catalogue: string;
  /** The tables of documents that were never saved. */
  readonly imports: string;
  /** The folder whose documents and tables may be read. */
  readonly folder: string;
}

export interface EngineChild {
  send(message: object): void;
  /** Ends it; the next that is sent goes to another, which goes by the settings of now. */
  again(): void;
  end(): void;
}

export interface EngineChildEvents {
  message(message: unknown): void;
  /** The next that is sent goes to another; without a reason, because that was asked for. */
  died(reason?: string): void;
}

/** Forked when first used, and again after it has died. */
export function createEngineChild(options: EngineChildOptions, events: EngineChildEvents): EngineChild {
  let child: ChildProcess | undefined;
  let ended = false;
  /** It was ended on purpose. */
  let wanted = false;

  function start(): ChildProcess {
    const started = fork(options.engine, [options.worker, options.catalogue, options.imports, options.folder], {
      // Structured clone: typed arrays and NaN pass as they are.
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (message) => events.message(message));
    started.once('exit', (code, signal) => {
      child = undefined;
      if (ended) return;
      events.died(wanted ? undefined : `The engine ended (${signal ?? `code ${code}`}) and is started again.`);
      wanted = false;
    });
    return started;
  }

  return {
    send(message) {
      child ??= start();
      child.send(message);
    },
    again() {
      wanted = child !== undefined;
      child?.kill();
    },
    end() {
      ended = true;
      child?.kill();
    },
  };
}
