/** Answers questions about a problem one at a time, on a device. */
import { OutOfMemory } from '../0-ir/errors.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { Device, Executable, Instance } from '../5-runtime/device.ts';
import type { FitProblem } from './problem.ts';
import type { Ask, PlainQuestion } from './questions.ts';

export interface Answers {
  /** How many times a program has run. */
  readonly evaluations: number;
  /** The question's program is loaded when it is first asked. Throws `Cancelled` once word 0 of `cancel` is not 0. */
  readonly ask: Ask;
  /** Releases the programs of all other questions, with their copies of the data. */
  keepOnly(question: object & { readonly parts?: readonly object[] }): void;
  release(): void;
}

interface Loaded {
  readonly executable: Executable;
  readonly instance: Instance;
}

export function openAnswers(
  device: Device,
  { parameters, data, sizes }: Pick<FitProblem, 'parameters' | 'data' | 'sizes'>,
  cancel?: Int32Array,
): Answers {
  const loaded = new Map<object, Loaded>();
  let evaluations = 0;
  // What the last two runs of programs that have grown needed: all take the same steps at a point, so that the next need not find it out.
  let needed: readonly ReadonlyMap<string, number>[] = [];

  async function load<Q, A>(question: PlainQuestion<Q, A>): Promise<Loaded> {
    const known = loaded.get(question);
    if (known) return known;
    const varying = new Set(question.inputs.map(({ name }) => name));
    const executable = await device.load(question.program, { varying, cancel });
    try {
      const instance = await executable.bind({ ...sizes, ...leastOf(needed, sizes) });
      for (const [name, values] of data) instance.write(name, values);
      for (const { name, initial, fixed } of parameters) if (fixed) instance.write(name, initial);
      const entry = { executable, instance };
      loaded.set(question, entry);
      return entry;
    } catch (error) {
      executable.release();
      throw error;
    }
  }

  function release(which: (question: object) => boolean): void {
    for (const [question, { executable, instance }] of loaded)
      if (which(question)) {
        instance.release();
        executable.release();
        loaded.delete(question);
      }
  }

  const ask: Ask = async (question, at) => {
    if ('parts' in question) return question.compose(ask, at);
    const { instance, executable } = await load(question);
    evaluations++;
    const written = new Float64Array(question.inputs.reduce((total, { initial }) => total + initial.length, 0));
    question.write(at, written, 0);
    let offset = 0;
    for (const { name, initial } of question.inputs) {
      instance.write(name, written.subarray(offset, offset + initial.length));
      offset += initial.length;
    }
    try {
      await instance.run(cancel ? { cancel } : {});
    } catch (error) {
      // Whoever asks for less in its place has the room.
      if (error instanceof OutOfMemory) release((other) => other === question);
      throw error;
    }
    const { grown } = executable;
    if (grown && grown.size > 0) needed = [new Map(grown), ...needed.slice(0, 1)];
    const results = new Map(
      await Promise.all(
        question.program.results.map(async ({ name }) => {
          const values = await instance.read(name);
          return [name, values instanceof Float64Array ? values : Float64Array.from(values)] as const;
        }),
      ),
    );
    return question.read((name) => results.get(name) as Float64Array, at);
  };

  return {
    get evaluations() {
      return evaluations;
    },
    ask,
    keepOnly: (question) => release((other) => other !== question && question.parts?.includes(other) !== true),
    release: () => release(() => true),
  };
}

/** The least that any of these runs needed, where it is more than was asked for: one that leads astray needs more than others. */
function leastOf(runs: readonly ReadonlyMap<string, number>[], asked: SizeBinding): SizeBinding {
  const least: Record<string, number> = {};
  for (const run of runs)
    for (const [symbol, size] of run)
      if (size > (asked[symbol] ?? Infinity)) least[symbol] = Math.min(size, least[symbol] ?? Infinity);
  return least;
}
