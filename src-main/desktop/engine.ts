/** The engine process's life: started, joined to the window, started again when it dies. */
import { MessageChannelMain, utilityProcess } from 'electron';
import type { MessagePortMain, UtilityProcess } from 'electron';
import { readFromEngine, type ToEngine } from '../engine-process/main-protocol.ts';
import { note } from '../faults/log.ts';
import { paths } from './paths.ts';

export interface EngineEvents {
  /** The port to pass to the window: of a first engine, or of one in place of one that died. */
  port(port: MessagePortMain): void;
  /** There is another in its place, or none any more; without a reason, because that was asked for. */
  died(reason?: string): void;
  /** Joins the port to the GPU window; false where there is none. */
  joinGpu(port: MessagePortMain): void;
}

export interface EngineProcess {
  /** A new connection: the window was opened or reloaded. */
  connect(): void;
  /** Lets the engine read tables in a folder; resolved once it knows. */
  grant(folder: string): Promise<void>;
  /** Ends it and starts another, which goes by the settings of now. */
  again(): void;
  /** Tells it that the GPU window has died. */
  loseGpu(): void;
  end(): void;
}

/** Restarts in a row, closer together than this, are no accident: then the engine is given up. */
const quickDeathMilliseconds = 2000;
const mostQuickDeaths = 5;

/** `imports`: where the tables of documents lie that were never saved. */
export function startEngine(imports: string, events: EngineEvents): EngineProcess {
  const folders = new Set<string>();
  const acknowledgements = new Map<number, () => void>();
  let nextGrant = 0;
  let connected = false;
  let ended = false;
  let quickDeaths = 0;
  /** It was ended on purpose. */
  let wanted = false;
  let process_ = start();

  function tell(message: ToEngine, ports: MessagePortMain[] = []): void {
    process_.postMessage(message, ports);
  }

  function start(): UtilityProcess {
    const startedAt = Date.now();
    const child = utilityProcess.fork(paths.engine, [paths.worker, paths.catalogue, imports, ...folders], {
      serviceName: 'Cotangent engine',
    });
    child.on('message', (data: unknown) => {
      const message = readFromEngine(data, (sentence) => note('main', sentence));
      if (!message) return;
      if (message.type === 'granted') {
        acknowledgements.get(message.id)?.();
        acknowledgements.delete(message.id);
        return;
      }
      const { port1, port2 } = new MessageChannelMain();
      tell({ type: 'gpu' }, [port1]);
      events.joinGpu(port2);
    });
    child.once('exit', (code) => {
      if (ended) return;
      for (const acknowledge of acknowledgements.values()) acknowledge();
      acknowledgements.clear();
      if (wanted) {
        wanted = false;
        process_ = start();
        if (connected) connect();
        events.died();
        return;
      }
      quickDeaths = Date.now() - startedAt < quickDeathMilliseconds ? quickDeaths + 1 : 0;
      if (quickDeaths >= mostQuickDeaths) {
        events.died(`The engine ends as soon as it starts (code ${code}).`);
        return;
      }
      process_ = start();
      if (connected) connect();
      events.died(`The engine ended with code ${code} and was started again.`);
    });
    return child;
  }

  function connect(): void {
    connected = true;
    const { port1, port2 } = new MessageChannelMain();
    tell({ type: 'connect' }, [port1]);
    events.port(port2);
  }

  return {
    connect,
    grant(folder) {
      if (folders.has(folder)) return Promise.resolve();
      folders.add(folder);
      return new Promise((resolve) => {
        const id = nextGrant++;
        acknowledgements.set(id, resolve);
        tell({ type: 'grant', folder, id });
      });
    },
    again() {
      wanted = true;
      process_.kill();
    },
    loseGpu() {
      if (!ended) tell({ type: 'gpu-gone' });
    },
    end() {
      ended = true;
      process_.kill();
    },
  };
}
