/** A text on standard output, in JSON, or in a file. */
import writeFileAtomic from 'write-file-atomic';
import { Refused } from '../refused.ts';
import { printJson } from './output.ts';

export interface TextOptions {
  readonly json: boolean;
  readonly out?: string;
}

/** With `--json` beside what is said of it. Throws `Refused` where the file cannot be written. */
export async function printText(text: string, about: object, { json, out }: TextOptions): Promise<void> {
  if (out !== undefined)
    try {
      await writeFileAtomic(out, text);
    } catch (error) {
      throw new Refused(`${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  if (json) printJson({ ...about, text });
  else if (out === undefined) process.stdout.write(text);
}
