export interface Download {
  readonly url: string;
  readonly file: string;
  readonly sha256: string;
  readonly onProgress?: (come: number, all: number) => void;
  /** Milliseconds without a byte that are too many. */
  readonly silence?: number;
  /** Milliseconds between two tries. */
  readonly wait?: number;
  /** In a row that bring nothing. */
  readonly mostTries?: number;
}
export function download(options: Download): Promise<void>;
export function electronUrl(version: string, name: string, env: Readonly<Record<string, string | undefined>>): string;
export function whyNot(error: Error, url: string): string;
