/** Where something lies on the canvas, in its own units, and the edges of it. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export type Side = 'left' | 'top' | 'right' | 'bottom';
