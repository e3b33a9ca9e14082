export interface Licence {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}
export const fontPackages: readonly string[];
export function packageFolder(module: string): string | undefined;
export function licences(modules: readonly string[]): Licence[];
export function licencesText(found: readonly Licence[]): string;
