/** How observations lie about the fit that is shown, where it has random effects: asked for, since data sets are drawn for it. */
import type { FitReport, Location } from '../../../src-main/contract/contract.ts';
import { axisTitle, type Diagnosis, type Diagnostic } from '../../../src-main/contract/plots.ts';
import { inOrder, type Draft } from '../document/draft.ts';
import { problemText } from '../document/problem-text.ts';
import type { ProgressOf } from '../window/job.svelte.ts';
import { ShownJob } from '../window/shown-job.svelte.ts';
import { advanced, type Work } from '../window/work.ts';
import { afterUndrawn, type Picture } from './pictures.ts';

interface Question {
  readonly draft: Draft;
  readonly location: Location;
  readonly report: FitReport;
}

export class Diagnosing extends ShownJob<'diagnosis', Work> {
  /** Of which fit, and what was found or why nothing was. */
  #found = $state.raw<{ readonly of: FitReport; readonly told: Diagnosis | string } | null>(null);
  #about: FitReport | null = null;
  #stopped = false;

  /** Of this fit; null where it has not been asked. */
  of(report: FitReport): Diagnosis | string | null {
    return this.#found?.of === report ? this.#found.told : null;
  }

  async start({ draft, location, report }: Question): Promise<void> {
    if (this.running) return;
    this.#about = report;
    this.#stopped = false;
    this.progress = advanced(null, { stage: 'drawing data sets' }, false, Date.now());
    await this.job.start({
      document: inOrder(draft),
      location,
      parameters: {},
      work: { kind: 'diagnosis', fit: report },
    });
  }

  override stop(): Promise<void> {
    this.#stopped = true;
    return super.stop();
  }

  protected override reached({ stage, share }: ProgressOf<'diagnosis'>, paused: boolean): void {
    this.progress = advanced(this.progress, { stage, share }, paused, Date.now());
  }

  protected override done(told: Diagnosis): void {
    this.#end(told);
  }

  protected override fell(): void {
    // What was stopped can be asked again.
    if (this.#stopped) this.progress = null;
    else this.#end(this.refused.map(problemText).join(' '));
  }

  #end(told: Diagnosis | string): void {
    this.progress = null;
    if (this.#about) this.#found = { of: this.#about, told };
  }
}

/** As the charts of a fit take it. */
export function diagnosticPicture({ name, note, plot }: Diagnostic): Picture {
  return {
    ...{ plot, residuals: plot, key: `${plot.of} ${name}`, title: plot.look?.title ?? name },
    note: afterUndrawn(plot, note),
    ...{ excluded: '', group: 0, layout: plot.look?.layout ?? 'front', missed: [] },
    titles: { x: axisTitle(plot.x), y: axisTitle(plot.y) },
  };
}
