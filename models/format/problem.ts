/**
 * What is wrong with a document, or worth knowing, and where. The shape is that of `problem` in the contract between
 * processes; the two are kept equal by a test, since nothing here may know of hosts.
 */
export interface Problem {
  severity: 'error' | 'warning';
  message: string;
  /** The block's id; inside a group `g/inner`. */
  block?: string | undefined;
  /** The input port, or the key, at fault. */
  port?: string | undefined;
  /** Which output's formula `span` lies in, where a block has several. */
  output?: string | undefined;
  /** [from, to) in characters of the formula. */
  span?: [number, number] | undefined;
  wanted?: string | undefined;
  got?: string | undefined;
  /** The likely fix, in words. */
  fix?: string | undefined;
}

export type ProblemDetails = Omit<Problem, 'severity' | 'message'>;

export function errorProblem(message: string, details: ProblemDetails = {}): Problem {
  return { severity: 'error', message, ...details };
}

export function warningProblem(message: string, details: ProblemDetails = {}): Problem {
  return { severity: 'warning', message, ...details };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error');
}

/** One line for a terminal: the sentence, and the likely fix after it. */
export function printProblem(problem: Problem): string {
  return problem.fix === undefined ? problem.message : `${problem.message} (${problem.fix})`;
}

/** A document that cannot be used, thrown where there is no list to put problems on. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(printProblem).join('\n'));
  }
}
