/** Blocks as documents write them. */
export interface BlockJson {
  readonly id: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}
