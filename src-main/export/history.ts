/** Of steps that read what earlier ones gave: a language whose scans see only the last one cannot be given them. */
import { Refused } from '../refused.ts';

export const history = (language: string) => (): never => {
  throw new Refused(`the export to ${language} has no counterpart of "delay", which reads a solution's own past`);
};
