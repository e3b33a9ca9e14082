/** A job as the window shows it: how far it is, whether it waits, and why the last one did not run. */
import type { Client, Problem } from '../../../src-main/contract/contract.ts';
import { Job, type Kind, type ProgressOf, type Reports } from './job.svelte.ts';
import { resumed, type Work } from './work.ts';

export abstract class ShownJob<K extends Kind, W extends Work> {
  progress = $state.raw<W | null>(null);
  /** Why the last one could not start, or go on. */
  refused = $state.raw<readonly Problem[]>([]);
  protected readonly job: Job<K>;

  constructor(client: Client) {
    this.job = new Job(client, {
      progress: (progress, paused) => this.reached(progress, paused),
      done: (report) => this.done(report),
      refused: (problems) => {
        this.refused = problems;
        this.fell();
      },
    });
  }

  protected abstract reached(progress: ProgressOf<K>, paused: boolean): void;
  protected abstract done(report: Reports[K]): void;
  /** It did not start, or could not go on. */
  protected abstract fell(): void;

  get running(): boolean {
    return this.job.running;
  }

  get stopping(): boolean {
    return this.job.stopping;
  }

  get paused(): boolean {
    return this.progress?.pausedAt !== undefined;
  }

  stop(): Promise<void> {
    return this.job.stop();
  }

  pause(): Promise<void> {
    return this.job.pause();
  }

  async resume(): Promise<void> {
    if ((await this.job.resume()) && this.progress) this.progress = resumed(this.progress, Date.now());
  }

  close(): void {
    this.job.close();
  }
}
