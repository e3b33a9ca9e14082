/**
 * Properties are tried from one seed, so that a run says something of the change and not of the day; `SEED=… npx vitest run …`
 * sets another.
 */
import fc from 'fast-check';

export const seed = Number(process.env['SEED'] ?? 20261121);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
