/** What the states of a block do at the parameters that are shown, asked for whenever they or the model change. */
import type { ArrayValue } from '../../../src-main/contract/contract.ts';
import { axisTitle } from '../../../src-main/contract/plots.ts';
import type { BlockDraft, Draft } from '../document/draft.ts';
import { inOrder, numberFrom } from '../document/draft.ts';
import { pointRecord } from '../document/point.ts';
import { unitOf } from '../fit/plot-data.ts';
import { latest, overdue } from '../window/latest.ts';
import { unmarkedMilliseconds } from '../document/evaluation.svelte.ts';
import { problemsOf } from '../window/refusal.ts';
import { problemText } from '../document/problem-text.ts';
import type { Studio } from '../studio.svelte.ts';
import { closerTimes, withJumps } from '../../../models/notation/jumps.ts';
import { stateNamesOf, stateReference } from './rows.ts';
import { jumpsOf, measuredStates, trajectoryDraft, trajectoryTimes } from './trajectory-model.ts';

export interface Course {
  readonly state: string;
  /** Of a batch the number of the series, else 0. */
  readonly lane: number;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Trajectory {
  readonly courses: readonly Course[];
  readonly measured: readonly Omit<Course, 'lane'>[];
  readonly over: string;
  /** Of so many series of a batch only the first are drawn; 0 where all are. */
  readonly of: number;
}

/** How often what may jump is asked more closely: from one in 240 to less than a line is wide. */
const mostRounds = 2;

/** Series of a batch that are drawn. */
export const mostLanes = 12;

interface Question {
  readonly block: BlockDraft;
  readonly x: readonly number[];
  readonly over: string;
  /** Solved at these times; as the document has it where there are none. */
  readonly asked: (x: readonly number[]) => Draft;
  readonly parameters: Record<string, number | number[]>;
  readonly outputs: readonly string[];
  readonly measured: Trajectory['measured'];
}

export class Trajectories {
  shown = $state.raw<Trajectory | null>(null);
  failure = $state('');
  /** What is shown, if anything, is of before: it is being solved anew. */
  late = $state(false);
  readonly #awaited = overdue(unmarkedMilliseconds, () => (this.late = true));
  readonly #studio: Studio;
  readonly #ask: (question: Question) => void;
  /** Whether it is known when it is solved: an answer that comes after is of what is there no more. */
  #wanted = false;
  /** What was asked last: of what was asked before no more than its first answer is waited for. */
  #question: Question | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
    const answerAt = ({ asked, parameters, outputs }: Question, x: readonly number[]) =>
      studio.client.request('model.evaluate', {
        document: inOrder(asked(x)),
        location: studio.saving.location,
        outputs: [...outputs],
        parameters,
      });
    this.#ask = latest(
      async (question: Question) => {
        const { block } = question;
        let { x } = question;
        let answer = await answerAt(question, x);
        const mayJump = Array.isArray(block['events']) && block['events'].length > 0;
        for (let round = 0; mayJump && round < mostRounds; round++) {
          if (answer.faults.length > 0 || this.#question !== question) break;
          const series = coursesOf(block, x, answer.values).map(({ points }) => points.map(({ y }) => y));
          const more = closerTimes(x, series);
          if (more.length === 0) break;
          x = [...new Set([...x, ...more])].sort((a, b) => a - b);
          answer = await answerAt(question, x);
        }
        return { ...answer, x };
      },
      ({ values, faults, x }, question) => {
        if (!this.#wanted) return;
        this.#came(question);
        const { block, over, measured } = question;
        const [fault] = faults;
        this.failure = fault ? problemText(fault) : '';
        const courses = coursesOf(block, x, values);
        // A recurrence has steps, and no time between them.
        const drawn =
          x.length === 0 ? courses : courses.map((course) => ({ ...course, points: withJumps(course.points) }));
        const lanes = Math.max(0, ...Object.values(values).map(({ shape }) => lanesOf(shape)));
        this.shown = fault ? null : { courses: drawn, measured, over, of: lanes > mostLanes ? lanes : 0 };
      },
      (error, question) => {
        if (!this.#wanted) return;
        this.#came(question);
        this.failure = problemsOf(error).map(problemText)[0] ?? 'It cannot be solved.';
        this.shown = null;
      },
    );
  }

  #came(question: Question): void {
    if (question !== this.#question) {
      this.#awaited.cameLate();
      return;
    }
    this.#awaited.came();
    this.late = false;
  }

  /** Called where the draft or the point may have changed; reads both. */
  follow(block: BlockDraft): void {
    const { draft, point, evaluation } = this.#studio;
    const known = (reference: string) =>
      evaluation.earlier.has(reference) ? undefined : evaluation.values.get(reference);
    const valuesOf = (reference: string) => known(reference)?.values;
    const states = stateNamesOf(block);
    const outputs = states.map((state) => stateReference(block, state));
    const times = typeof block['times'] === 'string' ? known(block['times']) : undefined;
    if (block.kind === 'ode' && (!times || times.shape.length !== 1)) {
      this.#wanted = false;
      this.#awaited.came();
      this.late = false;
      this.shown = null;
      this.failure = times ? 'Its series have times of their own: the plots of the fit show them.' : '';
      return;
    }
    const from =
      numberFrom(block['from']) ?? (typeof block['from'] === 'string' ? valuesOf(block['from'])?.[0] : undefined);
    const own = times && [...times.values];
    const x = own ? trajectoryTimes(own, from, jumpsOf(block, valuesOf)) : [];
    const asked = (times: readonly number[]): Draft => (own ? trajectoryDraft(draft, block.id, times) : draft);
    const kept = new Set(asked(x).blocks.map(({ id }) => id));
    const record = pointRecord(draft, point);
    const measured = measuredStates(draft, block, states).flatMap(({ state, observed }) => {
      const value = known(observed);
      return value ? seriesOf(value, own ?? []).map(({ points }) => ({ state, points })) : [];
    });
    this.#wanted = true;
    this.#question = {
      block,
      x,
      over: own ? axisOfTimes(draft, String(block['times'])) : 'step',
      asked,
      parameters: Object.fromEntries(Object.entries(record).filter(([id]) => kept.has(id))),
      outputs,
      measured,
    };
    this.#awaited.begin();
    this.#ask(this.#question);
  }
}

const axisOfTimes = (draft: Draft, times: string): string => axisTitle({ label: times, unit: unitOf(draft, times) });

function coursesOf(block: BlockDraft, x: readonly number[], values: Readonly<Record<string, ArrayValue>>): Course[] {
  return stateNamesOf(block).flatMap((state) => {
    const value = values[stateReference(block, state)];
    return value ? seriesOf(value, x).map((series) => ({ state, ...series })) : [];
  });
}

/** Of a batch each series by itself, as many as are drawn: steps are the first axis. */
function seriesOf({ shape, values }: ArrayValue, x: readonly number[]): Omit<Course, 'state'>[] {
  const [steps = 1] = shape;
  const lanes = lanesOf(shape);
  return Array.from({ length: Math.min(lanes, mostLanes) }, (_, lane) => ({
    lane,
    points: Array.from({ length: steps }, (__, i) => ({ x: x[i] ?? i, y: Number(values[i * lanes + lane]) })),
  }));
}

const lanesOf = ([, ...batch]: ArrayValue['shape']): number => batch.reduce((product, size) => product * size, 1);
