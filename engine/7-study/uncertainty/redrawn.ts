/**
 * Data drawn again for objectives that are no sum of squares: the density itself, of observations each of which counts as
 * often as it was drawn (cases), or of others in their place (parametric). One program has all replicates, which differ
 * in its inputs alone.
 */
import { sizeProduct, sizeValue } from '../../0-ir/sizes.ts';
import type { Device } from '../../5-runtime/device.ts';
import { createEnsemble, type EnsembleModel } from '../../6-fit/ensembles/ensemble.ts';
import { batched, type Batched } from '../../6-fit/ensembles/batched-objective.ts';
import type { Random } from '../../6-fit/ensembles/random.ts';
import type { Quadratic } from '../../6-fit/expansion.ts';
import { quadraticOf, sweepOptions, withResults, type Question } from '../../6-fit/questions.ts';
import type { Fitted } from './fitted.ts';

/** A density whose data are inputs: results and inputs of the program by their names. */
export interface Redrawn extends Pick<EnsembleModel, 'program' | 'data' | 'sizes'> {
  readonly resample: 'cases' | 'parametric';
  /** Scalar: what a replicate minimises. */
  readonly result: string;
  readonly terms: readonly RedrawnTerm[];
}

export interface RedrawnTerm {
  /** How often each observation counts, or what was observed instead. */
  readonly input: string;
  readonly observed: string;
  /** Of each observation's distribution, as long as the observations. */
  readonly arguments: readonly string[];
  /** One observation of these arguments. */
  readonly draw?: (random: Random, ...args: number[]) => number;
}

/** What a replicate asks: the energy of its data, at a point. */
export interface AtDrawn {
  readonly point: Float64Array;
  /** Of all terms, one after the other. */
  readonly drawn: Float64Array;
}

export interface OpenRedrawn {
  readonly batch: Batched<AtDrawn, Quadratic>;
  /** The data of a replicate. */
  readonly draw: (random: Random) => Float64Array;
}

export async function openRedrawn(
  fitted: Fitted,
  redrawn: Redrawn,
  device: Device,
  cancel: Int32Array | undefined,
): Promise<OpenRedrawn> {
  const { problem, all } = fitted;
  const { program, terms, data, sizes } = redrawn;
  const lengthOf = (input: string): number => {
    const shape = program.parameters.find(({ name }) => name === input)?.value.type.shape ?? [];
    return sizeValue(sizeProduct(shape), sizes);
  };
  const inputs = terms.map(({ input }) => ({ name: input, initial: new Array<number>(lengthOf(input)).fill(0) }));
  const density = { program: withResults(program, [redrawn.result]), parameters: problem.parameters };
  const plain = quadraticOf(density, all, redrawn.result, sweepOptions(problem, device));
  const question: Question<AtDrawn, Quadratic> = {
    program: plain.program,
    inputs: [...plain.inputs, ...inputs],
    write({ point, drawn }, into, at) {
      plain.write(point, into, at);
      into.set(drawn, at + all.length);
    },
    read: (result, { point }) => plain.read(result, point),
  };
  const sources = await sourcesAt(fitted, redrawn, inputs, device);
  const batch = await batched(question, { parameters: problem.parameters, data, sizes }, device, cancel);
  const total = inputs.reduce((sum, { initial }) => sum + initial.length, 0);
  return {
    batch,
    draw(random) {
      const drawn = new Float64Array(total);
      let at = 0;
      for (const source of sources) {
        redraws[redrawn.resample](source, random, drawn.subarray(at, at + source.observed.length));
        at += source.observed.length;
      }
      return drawn;
    },
  };
}

/** A term at the fit: what was observed, and the arguments of each observation's distribution. */
interface Source extends Pick<RedrawnTerm, 'draw'> {
  readonly observed: Float64Array;
  readonly arguments: readonly Float64Array[];
}

async function sourcesAt(
  { problem, values }: Fitted,
  { program, terms, data, sizes }: Redrawn,
  inputs: readonly { readonly name: string; readonly initial: readonly number[] }[],
  device: Device,
): Promise<Source[]> {
  const ensemble = await createEnsemble(device, {
    program: withResults(
      program,
      terms.flatMap((term) => [term.observed, ...term.arguments]),
    ),
    parameters: problem.parameters,
    data: new Map([...data, ...inputs.map(({ name, initial }) => [name, initial] as const)]),
    sizes,
  });
  try {
    const found = (await ensemble.evaluate(values)).values;
    const whole = (name: string) => found.get(name)!;
    return terms.map(({ observed, arguments: args, draw }) => ({
      observed: whole(observed),
      arguments: args.map(whole),
      ...(draw && { draw }),
    }));
  } finally {
    ensemble.release();
  }
}

/** Written into an array of zeros. What was missing stays so. */
const redraws: {
  readonly [R in Redrawn['resample']]: (source: Source, random: Random, into: Float64Array) => void;
} = {
  cases({ observed }, random, into) {
    const rows = [...observed.keys()].filter((row) => !Number.isNaN(observed[row]));
    for (let k = 0; k < rows.length; k++) {
      const row = rows[random.integer(rows.length)]!;
      into[row] = into[row]! + 1;
    }
  },
  parametric({ observed, arguments: args, draw }, random, into) {
    if (!draw) throw new Error('a term without a distribution is drawn from');
    for (let row = 0; row < observed.length; row++)
      into[row] = Number.isNaN(observed[row]) ? NaN : draw(random, ...args.map((values) => values[row]!));
  },
};
