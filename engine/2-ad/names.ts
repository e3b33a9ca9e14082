/** Names of the parameters and results that differentiation adds. They come last, in the order asked for. */
export const cotangentName = (name: string): string => `cotangent of ${name}`;
export const adjointName = (name: string): string => `adjoint of ${name}`;
export const tangentName = (name: string): string => `tangent of ${name}`;

/** Gives each name once: a program that is differentiated again has names that are taken, and the new ones get a prime. */
export function namesFrom(taken: Iterable<string>): (name: string) => string {
  const known = new Set(taken);
  return (name) => {
    let unique = name;
    while (known.has(unique)) unique += '′';
    known.add(unique);
    return unique;
  };
}
