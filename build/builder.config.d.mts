export const releaseFuses: Readonly<Record<string, boolean>>;
export const testFuses: Readonly<Record<string, boolean>>;
export function fusesFor(fuses: Readonly<Record<string, boolean>>, major: number): Readonly<Record<string, boolean>>;
export const mimeType: string;
