/** How observations lie about the fit that is shown, where it has random effects: asked for, since data sets are drawn for it. */
import type { Client, FitReport, Location } from '../../../src-main/contract/contract.ts';
import { axisTitle, type Diagnosis, type Diagnostic } from '../../../src-main/contract/plots.ts';
import { inOrder, type Draft } from '../document/draft.ts';
import { sentenceOf } from '../window/refusal.ts';
import type { Picture } from './pictures.ts';

interface Question {
  readonly draft: Draft;
  readonly location: Location;
  readonly report: FitReport;
}

export class Diagnosing {
  running = $state(false);
  /** Of which fit, and what was found or why nothing was. */
  #found = $state.raw<{ readonly of: FitReport; readonly told: Diagnosis | string } | null>(null);

  /** Of this fit; null where it has not been asked. */
  of(report: FitReport): Diagnosis | string | null {
    return this.#found?.of === report ? this.#found.told : null;
  }

  async start(client: Client, { draft, location, report }: Question): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      const told = await client.request('model.diagnose', { document: inOrder(draft), location, fit: report });
      this.#found = { of: report, told };
    } catch (error) {
      this.#found = { of: report, told: sentenceOf(error) };
    } finally {
      this.running = false;
    }
  }
}

/** As the charts of a fit take it. */
export function diagnosticPicture({ name, note, plot }: Diagnostic): Picture {
  return {
    ...{ plot, residuals: plot, key: `${plot.of} ${name}`, title: plot.look?.title ?? name, note },
    ...{ excluded: '', group: 0, layout: plot.look?.layout ?? 'front', missed: [] },
    titles: { x: axisTitle(plot.x), y: axisTitle(plot.y) },
  };
}
