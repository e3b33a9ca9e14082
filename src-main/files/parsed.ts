import { readFile } from 'node:fs/promises';
import * as v from 'valibot';

/** What cannot be read (absent, half of another version, no JSON) is as if it were not there. */
export async function readParsed<S extends v.GenericSchema>(schema: S, path: string): Promise<v.InferOutput<S> | null> {
  try {
    const parsed = v.safeParse(schema, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
