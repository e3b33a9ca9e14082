/** A canvas does nothing where a number is not finite; a context that writes SVG would write it down. */
const drawing = [
  ...['moveTo', 'lineTo', 'bezierCurveTo', 'quadraticCurveTo', 'arcTo', 'arc', 'ellipse', 'rect', 'roundRect'],
  ...['fillRect', 'strokeRect', 'clearRect', 'fillText', 'strokeText'],
  ...['translate', 'scale', 'rotate', 'transform', 'setTransform'],
];

type Draw = (...given: unknown[]) => unknown;

const isNowhere = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** The same context, which leaves out what has no place. */
export function finiteContext<C extends object>(context: C): C {
  const methods = context as Record<string, unknown>;
  for (const name of drawing) {
    const draw = methods[name];
    if (typeof draw !== 'function') continue;
    const given: Draw = (...numbers) => (numbers.some(isNowhere) ? undefined : (draw as Draw).apply(context, numbers));
    methods[name] = given;
  }
  return context;
}
