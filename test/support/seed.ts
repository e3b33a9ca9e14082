/**
 * Properties are tried from a new seed each time, which fast-check prints with a failure. On continuous integration the
 * seed is fixed, so that a run says something of the change and not of the day; `SEED=… npx vitest run …` sets another.
 */
import fc from 'fast-check';

const given = process.env['SEED'] ?? (process.env['CI'] ? '20261121' : undefined);
if (given !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
