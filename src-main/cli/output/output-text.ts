/** A text on standard output, in JSON, or in a file. */
import { writeWhole } from '../../files/durable.ts';
import { printJson } from './output.ts';

export interface TextOptions {
  readonly json: boolean;
  readonly out?: string;
}

/** With `--json` beside what is said of it. Throws `Refused` where the file cannot be written. */
export async function printText(text: string, about: object, { json, out }: TextOptions): Promise<void> {
  if (out !== undefined) await writeWhole(out, text, { chosen: true });
  if (json) printJson({ ...about, text });
  else if (out === undefined) process.stdout.write(text);
}
