/** What the window shows above the document, and beside it. */
import type { Location } from '../../src-main/contract/contract.ts';
import type { Stamp } from '../../src-main/contract/keeping.ts';

/** What floats above the view; one at a time. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'open' }
  | { readonly kind: 'save-as' }
  /** `topic` as `help.ts` names it; none is the keys. */
  | { readonly kind: 'help'; readonly topic?: string }
  | { readonly kind: 'leave'; readonly then: () => void | Promise<void> }
  | { readonly kind: 'backups' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'about' }
  | { readonly kind: 'revert' }
  /** Another program has written the file to which the document was to be saved. */
  | { readonly kind: 'changed'; readonly location: Location; readonly stamp: Stamp };

/** Something to know of the document that is open, and what can be done about it. */
export interface Notice {
  /** One of a kind at a time. */
  readonly kind: 'restored' | 'damaged' | 'changed' | 'elsewhere' | 'cut-off';
  readonly text: string;
  readonly actions: readonly { readonly label: string; readonly run: () => void }[];
}
