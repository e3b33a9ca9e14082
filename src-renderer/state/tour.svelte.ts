/** The guided tour of an open model: one card after another, each beside what it speaks of. */
import { recall, remember } from './window/remembered.ts';
import type { Studio } from './studio.svelte.ts';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** What it points at, on screen; undefined where this model has no such thing. */
  readonly at: () => Element | undefined;
  /** Whether the model has what the card speaks of; any has unless said. */
  readonly needs?: (studio: Studio) => boolean;
  /** Brings that on screen first. */
  readonly prepare?: (studio: Studio) => void;
}

const first = (selector: string) => () => document.querySelector(selector) ?? undefined;
const withText = (selector: string, text: string) => () =>
  [...document.querySelectorAll(selector)].find((element) => element.textContent?.trim().startsWith(text));

export const tourSteps: readonly TourStep[] = [
  {
    title: 'A model is a drawing',
    text: 'Data enter from the left, and a parameter stands on the block that uses it. Each block computes one thing, and its formula stands in it. Click a block to change it; Space adds another.',
    at: first('.svelte-flow__node:has(.block .formula)'),
    prepare: (studio) => studio.adjoints.toggle(false),
  },
  {
    title: 'Sliders move the curve',
    text: 'Pull one, or press the arrow keys on it: the curve below follows at once. The thick stretch of the track is the 95 % interval.',
    at: first('.svelte-flow__node:has([role=slider])'),
    needs: ({ draft }) => draft.blocks.some(({ kind, fixed }) => kind === 'parameter' && fixed !== true),
  },
  {
    title: 'The curve over the data',
    text: 'What the model says at the values that are shown. Residuals and the tables stand in the tabs beside.',
    at: first('#dock-panel canvas'),
    needs: ({ evaluation }) => evaluation.plots.length > 0,
    prepare: (studio) => {
      studio.panels.show('Fit');
      if (studio.panels.covers) studio.panels.toggleCover();
    },
  },
  {
    title: 'Fit, and what came of it',
    text: 'Fit moves all parameters to where the data want them. The sentence begins with Converged only if it did, and says which parameters the data leave open.',
    at: first('[aria-label="Outcome of the fit"]'),
  },
  {
    title: 'What the data determine',
    text: 'Each parameter with its standard error, its interval and a verdict in words; what needs attention stands first.',
    at: first('table[aria-label="Fitted parameters"]'),
    needs: ({ fitting }) => fitting.report !== null,
  },
  {
    title: 'How sure, and what matters',
    text: 'Profiles, bootstrap and sampling say how far each parameter can go. Sensitivity says which of them the result follows.',
    at: withText('[role="tab"]', 'Uncertainty'),
  },
  {
    title: 'Derivatives on the wires',
    text: 'The key D shows how much the objective follows each wire, and which rewrite rule differentiates each block.',
    at: withText('button', 'Adjoints'),
  },
  {
    title: 'Now with your own data',
    text: 'The start panel takes a table: drop it, open it or paste it, and a first model is wired. F1 explains blocks and methods, and everything can be found and run by name.',
    at: first('.home'),
  },
];

/** The cards that this model has something to show for. */
export function stepsFor(studio: Studio | null): readonly TourStep[] {
  return tourSteps.filter(({ needs }) => !needs || !studio || needs(studio));
}

export class Tour {
  /** The card that is shown; null while there is no tour. */
  step = $state<number | null>(null);
  offered = $state(false);

  /** To somebody who has not seen it. */
  offer(): void {
    this.offered = recall('tour') === null;
  }

  decline(): void {
    this.offered = false;
    remember('tour', 'seen');
  }

  start(): void {
    this.decline();
    this.step = 0;
  }

  end(): void {
    this.step = null;
  }
}
