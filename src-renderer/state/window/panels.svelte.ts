/** Which panel the dock shows, and how much of the window it takes. */
export const panelNames = [
  'Fit',
  'Parameters',
  'Residuals',
  'Uncertainty',
  'Sensitivity',
  'Next',
  'Models',
  'Results',
  'Data',
  'Problems',
] as const;
export type PanelName = (typeof panelNames)[number];

/** Studies are many plots side by side: they begin with the whole window. */
const wide: ReadonlySet<PanelName> = new Set(['Uncertainty', 'Sensitivity', 'Next']);

export class Panels {
  shown = $state<PanelName>('Fit');
  folded = $state(false);
  /** Those that cover the canvas. */
  #covering = $state.raw<ReadonlySet<PanelName>>(wide);
  readonly covers: boolean = $derived(!this.folded && this.#covering.has(this.shown));

  show(name: PanelName): void {
    this.shown = name;
    this.folded = false;
  }

  /** A tab that is shown already folds the dock away. */
  choose(name: PanelName): void {
    if (this.shown === name && !this.covers) this.folded = !this.folded;
    else this.show(name);
  }

  toggleCover(): void {
    const covering = new Set(this.#covering);
    if (!covering.delete(this.shown)) covering.add(this.shown);
    this.#covering = covering;
    this.folded = false;
  }
}
