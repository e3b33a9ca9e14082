declare module 'svgcanvas' {
  /** A 2D context that writes SVG; it is its own canvas. */
  export class Context {
    constructor(width: number, height: number);
    getSvg(): SVGSVGElement;
  }
}
