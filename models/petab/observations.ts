/** What is measured of a model: of each observable its values, its noise and its likelihood, row by row. */
import { printExpression } from '../formula/print.ts';
import type { Expression } from '../formula/syntax.ts';
import { refuse } from '../sbml/refusal.ts';
import { numberIn } from '../sbml/start.ts';
import { binary, call, choose, name, number } from '../sbml/syntax.ts';
import type { Place } from '../sbml/translate.ts';
import type { Measurement, Observable, SubProblem } from './problem.ts';
import type { Shared, Stage } from './stage.ts';

export interface Measured {
  readonly measurement: Measurement;
  /** Among all of the problem. */
  readonly at: number;
  readonly lane: number;
}

export interface Observed {
  /** The block of the predicted values. */
  readonly prediction: string;
  readonly likelihood: string;
  /** Where its rows stand among all of the problem. */
  readonly rows: readonly number[];
}

export function observe(
  shared: Shared,
  stage: Stage,
  observable: Observable,
  observables: SubProblem['observables'],
  measured: readonly Measured[],
): Observed {
  const { writing } = shared;
  const { id } = observable;
  const prediction = writing.names.fresh(id);
  const table = prediction;
  const values = measured.map(({ measurement }) => measurement);
  const time = writing.column(
    table,
    `${prediction}_time`,
    values.map((each) => each.time),
    { label: 'time' },
  );
  const observed = writing.column(
    table,
    `${prediction}_measured`,
    values.map(({ value }) => value),
    { label: observable.name ?? id },
  );
  // By these the plots of what is measured tell its courses apart.
  const experiments = values.map(({ experiment }) => shared.experiments[experiment]?.id ?? '');
  if (new Set(experiments).size > 1)
    writing.column(table, `${prediction}_experiment`, experiments, { label: 'experiment' });
  const rows = new Rows(shared, stage, observables, table, prediction, time, measured);
  const about = observable.name === undefined || observable.name === id ? {} : { label: observable.name };
  const written = rows.formula(observable.formula);
  writing.blocks.push({ id: prediction, kind: 'map', ...about, ...rows.eachRow(written) });

  const noise = rows.formula(observable.noise);
  const factor = observable.decimal ? Math.LN10 : 1;
  const constant = numberIn(noise.expression);
  const scaled = factor === 1 ? noise.expression : binary('*', noise.expression, number(factor));
  const sigma =
    constant !== undefined
      ? constant * factor
      : scaled.kind === 'name' && noise.inputs.size === 0
        ? scaled.name
        : writing.add(`${prediction}_noise`, { kind: 'map', ...withInputs(scaled, noise.inputs) });
  const isLog = observable.distribution.startsWith('log');
  const mean = isLog ? writing.formula(`${prediction}_log`, call('log', name(prediction))) : prediction;
  const isNormal = observable.distribution.endsWith('normal');
  const likelihood = writing.add(`${prediction}_likelihood`, {
    kind: 'likelihood',
    family: observable.distribution,
    observed,
    ...(isNormal ? { mean, sigma } : { location: mean, scale: sigma }),
  });
  return { prediction, likelihood, rows: measured.map(({ at }) => at) };
}

interface Written {
  readonly expression: Expression;
  /** Port → block, where a port is no block of its own name. */
  readonly inputs: ReadonlyMap<string, string>;
}

const withInputs = (expression: Expression, inputs: ReadonlyMap<string, string>): Record<string, unknown> => ({
  formula: printExpression(expression),
  ...(inputs.size > 0 && { inputs: Object.fromEntries(inputs) }),
});

/** What formulas of an observable stand for, row by row. */
class Rows {
  private readonly gathered = new Map<string, string>();
  private readonly picked = new Map<string, Expression>();
  private readonly shared: Shared;
  private readonly stage: Stage;
  private readonly observables: SubProblem['observables'];
  private readonly table: string;
  private readonly id: string;
  private readonly time: string;
  private readonly measured: readonly Measured[];

  constructor(
    shared: Shared,
    stage: Stage,
    observables: SubProblem['observables'],
    table: string,
    id: string,
    time: string,
    measured: readonly Measured[],
  ) {
    [this.shared, this.stage, this.observables] = [shared, stage, observables];
    [this.table, this.id, this.time, this.measured] = [table, id, time, measured];
  }

  formula(formula: Expression): Written {
    const inputs = new Map<string, string>();
    return { expression: this.shared.along.translate.number(formula, this.placeOf(inputs, new Set())), inputs };
  }

  /** One value for each row, where nothing in it is of a row too. */
  eachRow({ expression, inputs }: Written): Record<string, unknown> {
    if (inputs.size > 0) return withInputs(expression, inputs);
    return withInputs(
      choose(binary('>=', name('row'), number(0)), expression, number(0)),
      new Map([['row', this.places()]]),
    );
  }

  private placeOf(inputs: Map<string, string>, within: ReadonlySet<string>): Place {
    const { shared, stage } = this;
    const { along, parameters, varying, modelId } = shared;
    /** A value of each row, under a name that reads well in the formula. */
    const port = (wanted: string, block: string): Expression => {
      inputs.set(wanted, block);
      return name(wanted);
    };
    return {
      symbol: (id) => {
        if (this.measured.some(({ measurement }) => measurement.overrides.has(id)))
          return this.placeholder(id, inputs, within);
        const parameter = parameters.get(id);
        if (parameter !== undefined) return name(parameter);
        const extra = stage.extra.get(id);
        if (extra !== undefined) return this.ofLanes(extra, port);
        const inModel = modelId(id);
        const own = stage.along.ids.get(inModel);
        if (own !== undefined) {
          const isConstant = along.symbols.role(inModel) === 'constant' && !along.amounts.has(inModel);
          if (!isConstant) return port(own, this.alongSolution(own));
          return varying.has(inModel) ? this.ofLanes(own, port) : name(own);
        }
        const other = this.observables.get(id);
        if (!other || within.has(id))
          return refuse(
            `the observable "${this.id}" uses "${id}", which neither the model nor the parameter table has`,
          );
        return along.translate.number(other.formula, this.placeOf(inputs, new Set([...within, id])));
      },
      time: () => port('time', this.time),
      rateOf: (id) => refuse(`the observable "${this.id}" asks for the rate of "${id}"`),
    };
  }

  /** What the rows say of it, one after the other. */
  private placeholder(id: string, inputs: Map<string, string>, within: ReadonlySet<string>): Expression {
    const known = this.picked.get(id);
    const found = known ?? this.pick(id, within);
    this.picked.set(id, found);
    // What differs from row to row is a block of the table's rows.
    if (found.kind === 'name' && this.shared.writing.isArray(found.name)) {
      inputs.set(id, found.name);
      return name(id);
    }
    return found;
  }

  private pick(id: string, within: ReadonlySet<string>): Expression {
    const { writing, along } = this.shared;
    return writing.along(
      this.table,
      `${this.id}_${id}`,
      this.measured.map(({ measurement }) => {
        const given = measurement.overrides.get(id);
        if (!given) return refuse(`${measurement.where} says nothing of "${id}"`);
        const inner = new Map<string, string>();
        const value = along.translate.number(given, this.placeOf(inner, within));
        return inner.size === 0
          ? value
          : name(writing.add(`${this.id}_value`, { kind: 'map', ...withInputs(value, inner) }));
      }),
    );
  }

  /** A name along the solution, at each row. */
  private alongSolution(own: string): string {
    return this.gather(own, this.stage.values(own), this.places());
  }

  /** What may differ from lane to lane, at each row. */
  private ofLanes(own: string, port: (wanted: string, block: string) => Expression): Expression {
    if (!this.shared.writing.isArray(own)) return name(own);
    const lanes = this.shared.writing.column(
      this.table,
      `${this.id}_lane`,
      this.measured.map(({ lane }) => lane),
      { type: 'int' },
    );
    return port(own, this.gather(own, own, lanes));
  }

  private gather(own: string, from: string, indices: string): string {
    const known = this.gathered.get(own);
    if (known !== undefined) return known;
    const found = this.shared.writing.add(`${this.id}_${own}`, { kind: 'gather', from, indices });
    this.gathered.set(own, found);
    return found;
  }

  private places(): string {
    return this.shared.writing.column(
      this.table,
      `${this.id}_at`,
      this.measured.map(({ lane, measurement }) => this.stage.place(lane, measurement.time)),
      { type: 'int' },
    );
  }
}
