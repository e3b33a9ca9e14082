/** Of what is defined by equations alone: a language that has no solver for them cannot be given it. */
import { Refused } from '../refused.ts';

export const implicit = (language: string) => (): never => {
  throw new Refused(
    `the export to ${language} has no counterpart of a block "solve", whose values are defined by equations`,
  );
};
