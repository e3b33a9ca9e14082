export const root: string;
export function isInstalled(folder?: string): boolean;
export function sourceHash(folder?: string): string;
export function installedSoFar(folder?: string): string;
