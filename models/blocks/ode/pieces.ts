/** The lists of times of which a solution's knots are made, in the order in which they count where they fall together. */
import type { Value } from '../../../engine/index.ts';
import { asReal } from '../parts/convert.ts';
import type { InferContext, LowerContext, Output } from '../kind.ts';
import { isDocumentNumber, toNumber, type DocumentNumber } from '../../notation/numbers.ts';
import { firstTime } from './knots.ts';
import { dosesIn, inputNames, type OdeBlock } from './schema.ts';

export interface TimePiece {
  readonly kind: 'from' | 'event' | 'input' | 'times';
  readonly port: string;
  /** Where the document gives a number; the first time where it says nothing of `from`. */
  readonly given: DocumentNumber | 'first' | undefined;
}

export function timePieces(block: OdeBlock): TimePiece[] {
  const given = (source: string | number | undefined): TimePiece['given'] =>
    source === undefined ? 'first' : isDocumentNumber(source) ? source : undefined;
  return [
    { kind: 'from', port: 'from', given: given(block.from) },
    ...dosesIn(block).map(({ event, index }): TimePiece => ({
      kind: 'event',
      port: `events.${index}.times`,
      given: given(event.times),
    })),
    ...inputNames(block).map((name): TimePiece => ({ kind: 'input', port: `${name}.times`, given: undefined })),
    { kind: 'times', port: 'times', given: undefined },
  ];
}

/** A number is a scalar that is data. */
export function numberOutput(): Output {
  return { name: '', element: 'real', sizes: [], computed: false };
}

/** How many knots a piece gives; `from` is one, whatever its batch. */
export function pieceLength(context: Pick<InferContext, 'input'>, { kind, port, given }: TimePiece): number {
  if (kind === 'from' || given !== undefined) return 1;
  return context.input(port)?.sizes[0]?.value ?? 1;
}

/** Each piece's times: [m, …], or [1, …] for `from`, or a scalar. */
export function pieceValues(context: LowerContext, pieces: readonly TimePiece[]): Value[] {
  const b = context.builder;
  return pieces.map(({ kind, port, given }) => {
    if (given === 'first') return firstTime(b, asReal(b, context.input('times')));
    if (given !== undefined) return b.literal(toNumber(given));
    const value = asReal(b, context.input(port));
    return kind === 'from' ? b.reshape(value, [1, ...value.type.shape]) : value;
  });
}
