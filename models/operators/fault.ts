/** One sentence on what is wrong with an operator, and where in it. */
export interface OperatorError {
  readonly message: string;
  /** The place within the operator, `result[1]` or `lift.operator.neutral`; empty for the operator as a whole. */
  readonly key: string;
  /** [from, to) in the formula at `key`. */
  readonly span?: readonly [from: number, to: number];
}

/** Thrown inside this folder, and returned as an OperatorError by its doors. */
export class OperatorFault extends Error {
  override readonly name = 'OperatorFault';
  readonly error: OperatorError;

  constructor(message: string, key: string, span?: readonly [number, number]) {
    super(message);
    this.error = { message, key, ...(span && { span }) };
  }
}
