/**
 * One job of the engine as the window has it: asked for, ruled, and heard until its end. Its name comes with the reply, before
 * its first event; one end comes, or the engine's death.
 */
import type { Client, FitReport, Problem, Progress, RequestInput } from '../../../src-main/contract/contract.ts';
import type { Diagnosis } from '../../../src-main/contract/plots.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import { problemsOf } from './refusal.ts';

type Task = RequestInput<'job.start'>;
export type Kind = Task['work']['kind'];
export type ProgressOf<K extends Kind> = Extract<Progress, { readonly kind: K }>;

export interface Reports {
  readonly fit: FitReport;
  readonly study: StudyReport;
  readonly diagnosis: Diagnosis;
}

/** What whoever asked for it makes of what comes. */
export interface Hearing<K extends Kind> {
  readonly progress: (progress: ProgressOf<K>, paused: boolean) => void;
  readonly done: (report: Reports[K]) => void;
  /** Why it could not start, or go on. */
  readonly refused: (problems: readonly Problem[]) => void;
}

export class Job<K extends Kind> {
  running = $state(false);
  stopping = $state(false);
  #name: string | null = null;
  /** Asked for before it had a name, and is then. */
  #pausing = false;
  readonly #client: Client;
  readonly #hearing: Hearing<K>;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(client: Client, hearing: Hearing<K>) {
    this.#client = client;
    this.#hearing = hearing;
    const ours = (job: string): boolean => this.running && this.#name === job;
    this.#unsubscribe = [
      client.on('job.progress', ({ job, progress, paused = false }) => {
        // A job is of the kind that was asked for.
        if (ours(job)) hearing.progress(progress as ProgressOf<K>, paused);
      }),
      client.on('job.done', ({ job, result }) => {
        if (!ours(job)) return;
        this.#end();
        hearing.done(result.report as Reports[K]);
      }),
      client.on('job.refused', ({ job, problems }) => {
        if (ours(job)) this.#refuse(problems);
      }),
      client.on('engine.restarted', ({ reason }) => {
        if (!this.running) return;
        // The user has chosen it, and is told what it cost.
        const asked = {
          severity: 'warning',
          message: 'The engine was started again, to go by other settings.',
        } as const;
        this.#refuse([reason === undefined ? asked : { severity: 'error', message: reason }]);
      }),
    ];
  }

  async start(task: Task): Promise<void> {
    this.running = true;
    this.stopping = false;
    this.#pausing = false;
    this.#name = null;
    try {
      const { job } = await this.#client.request('job.start', task);
      this.#name = job;
      if (this.stopping) await this.#client.request('job.stop', { job });
      else if (this.#pausing) await this.#client.request('job.pause', { job });
    } catch (error) {
      if (this.running) this.#refuse(problemsOf(error));
    }
  }

  async stop(): Promise<void> {
    if (!this.running || this.stopping) return;
    this.stopping = true;
    if (this.#name !== null) await this.#client.request('job.stop', { job: this.#name });
  }

  /** It waits after the step it is in; its progress then says that it is paused. */
  async pause(): Promise<void> {
    if (!this.running || this.stopping) return;
    if (this.#name === null) this.#pausing = true;
    else await this.#client.request('job.pause', { job: this.#name });
  }

  /** Whether there was one to go on. */
  async resume(): Promise<boolean> {
    this.#pausing = false;
    if (this.#name === null) return false;
    await this.#client.request('job.resume', { job: this.#name });
    return true;
  }

  #refuse(problems: readonly Problem[]): void {
    this.#end();
    this.#hearing.refused(problems);
  }

  #end(): void {
    this.running = false;
    this.stopping = false;
    this.#name = null;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    void this.stop();
  }
}
