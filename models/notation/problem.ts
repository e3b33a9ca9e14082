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
  /** The same for a reader: `character 5`, `line 2, character 1`. */
  place?: string | undefined;
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

/** One line for a terminal: the sentence, the place in its formula, and the likely fix after it. */
export function printProblem({ message, place, fix }: Problem): string {
  const sentence = place === undefined ? message : `${message}, at ${place}`;
  return fix === undefined ? sentence : `${sentence} (${fix})`;
}

/** Where a character of a text stands, counted from 1; the line is told where there are several. */
export function characterPlace(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  const character = `character ${(before.at(-1)?.length ?? 0) + 1}`;
  return text.includes('\n') ? `line ${before.length}, ${character}` : character;
}

/** A document that cannot be used, thrown where there is no list to put problems on. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  constructor(readonly problems: readonly Problem[]) {
    super(problems.map(printProblem).join('\n'));
  }
}
