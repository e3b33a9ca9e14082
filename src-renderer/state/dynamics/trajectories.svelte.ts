/** What the states of a block do at the parameters that are shown, asked for whenever they or the model change. */
import type { ArrayValue } from '../../../src-main/contract/contract.ts';
import { axisTitle } from '../../../src-main/contract/plots.ts';
import type { BlockDraft, Draft } from '../document/draft.ts';
import { inOrder, numberFrom } from '../document/draft.ts';
import { pointRecord } from '../document/point.ts';
import { unitOf } from '../fit/plot-data.ts';
import { latest } from '../window/latest.ts';
import { problemsOf } from '../window/refusal.ts';
import { problemText } from '../document/problem-text.ts';
import type { Studio } from '../studio.svelte.ts';
import { closerTimes, withJumps } from '../../../models/notation/jumps.ts';
import { stateNamesOf } from './rows.ts';
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
}

/** How often what may jump is asked more closely: from one in 240 to less than a line is wide. */
const mostRounds = 2;

/** Series of a batch that are drawn. */
const mostLanes = 12;

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
      ({ values, faults, x }, { block, over, measured }) => {
        if (!this.#wanted) return;
        const [fault] = faults;
        this.failure = fault ? problemText(fault) : '';
        const courses = coursesOf(block, x, values);
        // A recurrence has steps, and no time between them.
        const drawn =
          x.length === 0 ? courses : courses.map((course) => ({ ...course, points: withJumps(course.points) }));
        this.shown = fault ? null : { courses: drawn, measured, over };
      },
      (error) => {
        if (!this.#wanted) return;
        this.failure = problemsOf(error).map(problemText)[0] ?? 'It cannot be solved.';
        this.shown = null;
      },
    );
  }

  /** Called where the draft or the point may have changed; reads both. */
  follow(block: BlockDraft): void {
    const { draft, point, evaluation } = this.#studio;
    const known = (reference: string) =>
      evaluation.earlier.has(reference) ? undefined : evaluation.values.get(reference);
    const valuesOf = (reference: string) => known(reference)?.values;
    const states = stateNamesOf(block);
    const outputs = states.length === 1 ? [block.id] : states.map((state) => `${block.id}.${state}`);
    const times = typeof block['times'] === 'string' ? known(block['times']) : undefined;
    if (block.kind === 'ode' && (!times || times.shape.length !== 1)) {
      this.#wanted = false;
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
      const values = valuesOf(observed);
      if (!values) return [];
      return [{ state, points: Array.from(values, (y, i) => ({ x: own?.[i] ?? i, y })) }];
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
    this.#ask(this.#question);
  }
}

const axisOfTimes = (draft: Draft, times: string): string => axisTitle({ label: times, unit: unitOf(draft, times) });

function coursesOf(block: BlockDraft, x: readonly number[], values: Readonly<Record<string, ArrayValue>>): Course[] {
  const states = stateNamesOf(block);
  return states.flatMap((state) => {
    const value = values[states.length === 1 ? block.id : `${block.id}.${state}`];
    if (!value) return [];
    const [steps = 1, ...batch] = value.shape;
    const lanes = batch.reduce((product, size) => product * size, 1);
    return Array.from({ length: Math.min(lanes, mostLanes) }, (_, lane) => ({
      state,
      lane,
      points: Array.from({ length: steps }, (__, i) => ({ x: x[i] ?? i, y: Number(value.values[i * lanes + lane]) })),
    }));
  });
}
