/** The lists of times of which a solution's knots are made, in the order in which they count where they fall together. */
import type { Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { InferContext, LowerContext, Output } from '../kind.ts';
import { isDocumentNumber, toNumber, type DocumentNumber } from '../../notation/numbers.ts';
import { delaysIn } from './delays.ts';
import { firstTime, overTimed } from './knots.ts';
import { dosesIn, inputNames, type OdeBlock } from './schema.ts';

export interface TimePiece {
  readonly kind: 'from' | 'event' | 'input' | 'echo' | 'times';
  readonly port: string;
  /** Where the document gives a number; the first time where it says nothing of `from`. */
  readonly given: DocumentNumber | 'first' | undefined;
  /** Of an echo: the lags after which it comes, and whether it echoes the start. */
  readonly after?: readonly number[];
  readonly ofStart?: boolean;
}

export function timePieces(block: OdeBlock): TimePiece[] {
  const given = (source: string | number | undefined): TimePiece['given'] =>
    source === undefined ? 'first' : isDocumentNumber(source) ? source : undefined;
  const from: TimePiece = { kind: 'from', port: 'from', given: given(block.from) };
  const inputs = inputNames(block).map((name): TimePiece => ({
    kind: 'input',
    port: `${name}.times`,
    given: undefined,
  }));
  const doses = dosesIn(block).map(({ event, index }): TimePiece => ({
    kind: 'event',
    port: `events.${index}.times`,
    given: given(event.times),
  }));
  const lags = delaysIn(block).lags.length;
  const echoes = [from, ...doses, ...inputs].flatMap((piece) =>
    sumsOfLags(lags, reach(piece, lags)).map((after): TimePiece => ({
      ...{ kind: 'echo', port: piece.port, given: piece.given, after },
      ofStart: piece.kind === 'from',
    })),
  );
  // What is looked back at is read as it is behind a jump: an echo that is one comes before what does not depend on it.
  const jumps = echoes.filter(({ after }) => after?.length === 1);
  const bends = echoes.filter(({ after }) => after?.length !== 1);
  return [from, ...jumps, ...inputs, ...doses, ...bends, { kind: 'times', port: 'times', given: undefined }];
}

/**
 * How many lags after a break the solution is still less smooth than its steps suppose: with each it gains a derivative
 * (Bellen & Zennaro, Numerical Methods for Delay Differential Equations, section 2.2). Fewer are kept where lags are many.
 */
function reach({ kind }: TimePiece, lags: number): number {
  const few = [0, 6, 4, 3][lags] ?? 2;
  return kind === 'from' ? few : kind === 'event' ? Math.min(few, 3) : Math.min(few, 2);
}

/** Of so many lags every sum of at most `most`, as lists that ascend. */
function sumsOfLags(lags: number, most: number): number[][] {
  const longer = (lists: readonly number[][]): number[][] =>
    lists.flatMap((list) =>
      Array.from({ length: lags }, (_, lag) => lag)
        .filter((lag) => lag >= (list.at(-1) ?? 0))
        .map((lag) => [...list, lag]),
    );
  const found: number[][] = [];
  for (let lists: number[][] = [[]], n = 0; n < most; n++) found.push(...(lists = longer(lists)));
  return found;
}

/** A number is a scalar that is data. */
export function numberOutput(): Output {
  return { name: '', element: 'real', sizes: [], computed: false };
}

/** How many knots a piece gives; `from` is one, whatever its batch. */
export function pieceLength(context: Pick<InferContext, 'input'>, { kind, port, given, ofStart }: TimePiece): number {
  if (kind === 'from' || ofStart || given !== undefined) return 1;
  return context.input(port)?.sizes[0]?.value ?? 1;
}

/** Each piece's times: [m, …], or [1, …] for `from`, or a scalar. */
export function pieceValues(context: LowerContext, pieces: readonly TimePiece[], lags: readonly Value[]): Value[] {
  const b = context.builder;
  const own = ({ kind, port, given, ofStart }: TimePiece): Value => {
    if (given === 'first') return firstTime(b, asReal(b, context.input('times')));
    if (given !== undefined) return b.literal(toNumber(given));
    const value = asReal(b, context.input(port));
    return kind === 'from' || ofStart ? b.reshape(value, [1, ...value.type.shape]) : value;
  };
  return pieces.map((piece) =>
    (piece.after ?? []).reduce((time, lag) => {
      const each = lags[lag]!;
      const rest = each.type.shape;
      return rest.length === 0 ? b.apply('add', time, each) : b.apply('add', overTimed(b, time, rest), each);
    }, own(piece)),
  );
}
