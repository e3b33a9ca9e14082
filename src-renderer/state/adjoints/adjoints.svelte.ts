/**
 * The adjoint view: the derivative of one number, the objective unless another is chosen, by every wire, at the point that
 * is shown. It is asked for only while the view is on, and follows sliders; what is drawn meanwhile counts as late.
 */
import type { Client, Location } from '../../../src-main/contract/contract.ts';
import type { AdjointReport, Measure, RuleReport } from './adjoint-view.ts';
import { magnitudeOf } from './adjoint-view.ts';
import type { Draft } from '../document/draft.ts';
import { inOrder, objectivesOf } from '../document/draft.ts';
import { deferred, latest } from '../window/latest.ts';
import type { Scale } from './magnitude.ts';
import { placeOn, scaleOf } from './magnitude.ts';
import type { WireAdjoint } from './nan-origins.ts';
import { formatNumber } from '../words/number-format.ts';
import { sentenceOf } from '../window/refusal.ts';

/** Where the derivatives are wanted. */
export interface AdjointQuestion {
  /** The same object as long as only start values change. */
  readonly draft: Draft;
  readonly parameters: Record<string, number | number[]>;
  /** References of scalars that can be chosen; empty where nobody knows yet. */
  readonly scalars: readonly string[];
}

interface Asked extends AdjointQuestion {
  readonly of: string | undefined;
}

/** A slider's positions are asked for no faster than this. */
const restMilliseconds = 40;

export class Adjoints {
  shown = $state(false);
  /** A scalar output; undefined is the objective. */
  subject = $state<string | undefined>(undefined);
  measure = $state<Measure>('effect');
  report = $state.raw<AdjointReport | null>(null);
  /** Why there is none, in one sentence. */
  failure = $state.raw<string | null>(null);
  /** What is drawn belongs to values that have changed since. */
  late = $state(false);
  #question = $state.raw<AdjointQuestion | undefined>(undefined);
  #asked: Asked | undefined;
  readonly #ask: (asked: Asked) => void;
  readonly #rest = deferred(restMilliseconds, () => this.#send());

  readonly scalars: readonly string[] = $derived(this.#question?.scalars ?? []);
  readonly wires: ReadonlyMap<string, WireAdjoint> = $derived(
    new Map((this.report?.wires ?? []).map((wire) => [`${wire.block} ${wire.port}`, wire])),
  );
  readonly rules: ReadonlyMap<string, RuleReport> = $derived(
    new Map((this.report?.rules ?? []).map((rule) => [rule.id, rule])),
  );
  readonly scale: Scale = $derived(scaleOf((this.report?.wires ?? []).map((wire) => this.magnitude(wire))));
  /** What is differentiated, by its name. */
  readonly name: string = $derived.by(() => {
    if (this.subject !== undefined) return this.subject;
    const objectives = this.#question ? objectivesOf(this.#question.draft) : [];
    return objectives.length === 1 ? objectives[0]! : 'the objective';
  });

  constructor(client: Client, location: () => Location) {
    this.#ask = latest(
      ({ draft, parameters, of }: Asked) =>
        client.request('model.adjoints', {
          document: inOrder(draft),
          location: location(),
          parameters,
          ...(of !== undefined && { of }),
        }),
      (report, asked) => {
        // An answer about another subject must not be drawn under the name of this one.
        if (asked.of !== this.subject) return;
        this.report = report;
        this.failure = null;
        this.late = asked !== this.#asked;
      },
      (error, asked) => {
        if (asked !== this.#asked) return;
        this.report = null;
        this.failure = sentenceOf(error);
        this.late = false;
      },
    );
  }

  /** Says what is shown now; the derivatives follow while the view is on. */
  follow(question: AdjointQuestion): void {
    this.#question = question;
    if (this.subject !== undefined && question.scalars.length > 0 && !question.scalars.includes(this.subject))
      this.subject = undefined;
    if (!this.shown) return;
    this.late = true;
    this.#rest();
  }

  toggle(shown = !this.shown): void {
    this.shown = shown;
    if (shown) this.#send();
  }

  choose(subject: string | undefined): void {
    this.subject = subject;
    this.report = null;
    this.failure = null;
    this.#send();
  }

  magnitude(wire: WireAdjoint): number {
    return magnitudeOf(wire, this.measure, this.report?.value ?? NaN);
  }

  /** As it stands on the wire: nothing where it is far below the scale; tables and probes have all its digits. */
  text(wire: WireAdjoint): string {
    const size = this.magnitude(wire);
    return size < 10 ** (this.scale.low - 2) ? '' : formatNumber(size, 2);
  }

  place(wire: WireAdjoint): number {
    return placeOn(this.scale, this.magnitude(wire));
  }

  #send(): void {
    if (!this.#question) return;
    this.#asked = { ...this.#question, of: this.subject };
    this.late = true;
    this.#ask(this.#asked);
  }

  close(): void {
    this.#rest.cancel();
  }
}
