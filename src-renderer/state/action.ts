/** Something that can be run by name. */
import type { IconId } from './icons.ts';

export interface Action {
  readonly id: string;
  readonly title: string;
  readonly icon: IconId;
  /** As tinykeys takes it; `$mod` is Ctrl, or ⌘ on a Mac. */
  readonly keys?: string;
  /** Keys that a text field needs for itself, or that whoever is on screen listens for: they are only told here. */
  readonly bound?: 'outside-fields' | 'elsewhere';
  readonly enabled: boolean;
  readonly run: () => void;
}
