export interface Part {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly seconds: number;
}
export function duration(seconds: number): string;
export function partLine(part: Part): string;
export function leftOut(report: unknown, root: string): string[];
export function notPassed(report: unknown): string[];
export function failures(report: unknown, strayErrors: readonly string[], root: string): string[];
