/** A program to be measured, with how its inputs are drawn. */
import { arrayType, type Device, type Program, ProgramBuilder, type Size, type Value } from '../../engine/index.ts';
import { draw, type Range } from './draw.ts';
import { measure, type Timing, type TimingOptions } from './timing.ts';

export interface Subject {
  readonly program: Program;
  /** Of inputs that are not drawn from [-1, 1). */
  readonly ranges: ReadonlyMap<string, Range>;
  /** Inputs that stay from run to run, so that what depends on them alone is prepared before the clock starts. */
  readonly fixed: ReadonlySet<string>;
}

/** The length of the data. */
export const n: Size = 'n';

/** A builder whose inputs are declared with their ranges. */
export class SubjectBuilder extends ProgramBuilder {
  readonly ranges = new Map<string, Range>();

  data(name: string, range: Range, shape: readonly Size[] = [n]): Value {
    this.ranges.set(name, range);
    return this.parameter(name, arrayType('real', shape));
  }

  /** Keys of so many bins. */
  keys(name: string, bins: number): Value {
    this.ranges.set(name, [0, bins]);
    return this.parameter(name, arrayType('int', [n]));
  }
}

/** Times one program over `length` elements: the subject's own, or one that was made of it. */
export function timeSubject(
  device: Device,
  { ranges, fixed }: Subject,
  program: Program,
  length: number,
  options?: TimingOptions,
): Promise<Timing> {
  const types = new Map(program.parameters.map(({ name, value }) => [name, value.type]));
  const input = (name: string): ArrayLike<number> => {
    const type = types.get(name);
    const elements = type?.shape.reduce<number>((total, size) => total * (size === n ? length : Number(size)), 1) ?? 0;
    return draw(name, type?.element === 'int' ? 'int' : 'real', elements, ranges.get(name) ?? [-1, 1]);
  };
  const varying = new Set([...types.keys()].filter((name) => !fixed.has(name)));
  return measure(device, { program, sizes: { n: length }, input, varying }, options);
}
