/**
 * The schemas from which blocks are put together. A schema's message is the phrase for what it wants ("a number"); the
 * reader makes the sentence: which block, which key, what was wanted and got.
 */
import * as v from 'valibot';
import { nearestName } from './names.ts';
import { isDocumentNumber, type DocumentNumber, type Nested } from './numbers.ts';
import { isReference } from './references.ts';

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Marks an issue whose message is a sentence already. */
export const sentence = '\u0000';

/**
 * An object with these keys and no other. valibot's own strict object lets keys through that every object inherits
 * (`constructor`), and stops at the first unknown one.
 */
export function strict<const E extends v.ObjectEntries>(entries: E) {
  return v.pipe(
    v.custom<Record<string, unknown>>(isRecord, 'an object'),
    v.rawTransform<Record<string, unknown>, v.InferOutput<v.ObjectSchema<E, undefined>>>(
      ({ dataset, addIssue, NEVER }) => {
        const input = dataset.value;
        let failed = false;
        for (const [key, value] of Object.entries(input))
          if (!Object.hasOwn(entries, key)) {
            failed = true;
            const nearest = nearestName(key, Object.keys(entries));
            addIssue({ message: `${sentence}unknown key\n${nearest ?? ''}`, path: [pathItem(input, key, value)] });
          }
        const result = v.safeParse(v.object(entries), input);
        for (const issue of result.issues ?? []) {
          failed = true;
          addIssue({ message: issue.message, input: issue.input, ...(issue.path && { path: issue.path }) });
        }
        // No schema here transforms, and the object as written keeps the order of its keys.
        return failed ? NEVER : (input as v.InferOutput<v.ObjectSchema<E, undefined>>);
      },
    ),
  );
}

/** An object whose keys the document chooses; any own key will do, `__proto__` too. */
export function named<S extends v.GenericSchema<unknown, unknown>>(schema: S, wanted: string) {
  return v.pipe(
    v.custom<Readonly<Record<string, v.InferOutput<S>>>>(isRecord, wanted),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      for (const [key, value] of Object.entries(dataset.value))
        for (const issue of v.safeParse(schema, value).issues ?? []) {
          const path = [pathItem(dataset.value, key, value), ...(issue.path ?? [])];
          addIssue({ message: issue.message, input: issue.input, path } as never);
        }
    }),
  );
}

function pathItem(input: Record<string, unknown>, key: string, value: unknown): v.ObjectPathItem {
  return { type: 'object', origin: 'key', input, key, value };
}

export const text = v.string('a string');
export const truth = v.boolean('true or false');
export const number = v.custom<DocumentNumber>(isDocumentNumber, 'a number');

const wholeFrom = (least: number, wanted: string) =>
  v.custom<number>((value) => Number.isSafeInteger(value) && (value as number) >= least, wanted);

/** 0, 1, 2, … */
export const count = (wanted = 'a whole number, 0 or more') => wholeFrom(0, wanted);
/** 1, 2, … */
export const positiveCount = wholeFrom(1, 'a whole number, 1 or more');

export const whole = v.custom<number>((value) => Number.isSafeInteger(value), 'a whole number');
export const axis = count('an axis: 0, 1 or 2');
export const formula = v.pipe(v.string('a formula (a string)'), v.regex(/\S/, 'a formula (a string)'));
export const identifier = v.pipe(
  v.string('a name'),
  v.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a name (letters, digits and _)'),
);

const referenceText = 'a reference such as "curve" or "line.slope"';
export const ref = v.custom<string>((value) => typeof value === 'string' && isReference(value), referenceText);

export const refs = v.custom<string | readonly string[]>((value) => {
  const list = typeof value === 'string' ? [value] : value;
  return Array.isArray(list) && list.length > 0 && list.every((r) => typeof r === 'string' && isReference(r));
}, 'a reference or a list of references');

export const refOrNumber = v.custom<string | number>(
  (value) => isDocumentNumber(value) || (typeof value === 'string' && isReference(value)),
  'a reference or a number',
);

export const refOrCount = v.custom<string | number>(
  (value) =>
    (typeof value === 'string' && isReference(value)) || (Number.isSafeInteger(value) && (value as number) >= 0),
  'a whole number or a reference',
);

function isNested(value: unknown): value is Nested {
  const pending: unknown[] = [value];
  for (let next = pending.pop(); pending.length > 0 || next !== undefined; next = pending.pop())
    if (Array.isArray(next)) for (const element of next) pending.push(element ?? null);
    else if (!isDocumentNumber(next)) return false;
  return value !== undefined;
}

export const nested = v.custom<Nested>(isNested, 'a number or a nested array of numbers');

export const nestedOrRef = v.custom<Nested | string>(
  (value) => isNested(value) || (typeof value === 'string' && isReference(value)),
  'a number, a nested array of numbers or a reference',
);

export function oneOf<const T extends readonly string[]>(words: T) {
  return v.picklist(words, `one of ${words.map((word) => `"${word}"`).join(', ')}`);
}

/** Where a key takes one or several, a string or a list will do. */
export function asList<T>(value: T | readonly T[]): readonly T[] {
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

/** What every block may carry. */
export const common = {
  id: identifier,
  label: v.exactOptional(text),
  note: v.exactOptional(text),
  unit: v.exactOptional(text),
};
