/** How much work a submit may hold so that it takes about 50 ms, learnt from how long submits take. */
import type { Pace } from '../../4-backends/webgpu/module.ts';

const longest = 50;
const short = 12;
const least = 2 ** 16;

export class GpuPace implements Pace {
  budget: number;
  readonly together: number;

  constructor(software: boolean) {
    this.budget = software ? 2 ** 22 : 2 ** 30;
    this.together = software ? 8 : 4096;
  }

  /** Of a submit of so much work that took so long. */
  observe(work: number, milliseconds: number): void {
    if (milliseconds > longest && work > least) this.budget = Math.max(least, this.budget / 2);
    else if (milliseconds < short && work > this.budget / 2) this.budget *= 2;
  }
}
