/** What a parameter of the rates' function stands for. */
export type Role =
  | { readonly kind: 'state'; readonly state: number }
  | { readonly kind: 'time' }
  /** A forcing input: it moves with the time where it is linear. */
  | { readonly kind: 'input'; readonly input: number }
  /** A state as it was before a lag. */
  | { readonly kind: 'past'; readonly past: number }
  /** The same at every step. */
  | { readonly kind: 'constant'; readonly constant: number };
