/** What the window asks of the app itself: its settings, its logs, and that a fault be noted down. */
import * as v from 'valibot';
import { text } from './fields.ts';

const between = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** What the user has chosen for all documents; what is not said is as usual. The theme is the window's own (`state/remembered.ts`), since it is read before the first paint. */
export const settings = v.object({
  device: v.optional(v.picklist(['auto', 'cpu', 'webgpu']), 'auto'),
  /** Of the CPU; null: as many as there are, up to 16. */
  threads: v.optional(v.nullable(between(1, 16)), null),
  /** Significant digits of numbers. */
  digits: v.optional(between(3, 10), 4),
  /** Edits are saved to the document's file as they are made; else they are kept beside it until it is saved. */
  autosave: v.optional(v.boolean(), false),
  /** Whether a packaged app looks for newer versions where it was released with a place to look. */
  updates: v.optional(v.boolean(), false),
});
export type Settings = v.InferOutput<typeof settings>;
const someSettings = v.partial(settings);
export type SomeSettings = v.InferOutput<typeof someSettings>;

/** As About says it. */
export const copyright = 'Copyright © 2026 The Cotangent authors. MIT License';

export const usualSettings: Settings = v.parse(settings, {});

export const appRequests = {
  'app.settings': { input: v.object({}), output: settings },
  /** What changes, and all as it then is. What the engine goes by takes effect at once: it is started again. */
  'app.set': { input: v.object({ changed: someSettings }), output: settings },
  /** An error that nobody caught in the page. */
  'app.fault': { input: v.object({ text }), output: v.object({}) },
  /** Of Cotangent and of everything that it contains, as the build has gathered them. */
  'app.licences': { input: v.object({}), output: v.object({ text }) },
  /** The logs of all processes as one text, which the window hands over; nothing is sent anywhere. */
  'app.logs': { input: v.object({}), output: v.object({ text }) },
} as const;
