/** The document as it is written: blocks, tables, and values that differ along an axis. */
import { freeNames } from '../formula/names.ts';
import { parseFormula } from '../formula/parse.ts';
import { printExpression } from '../formula/print.ts';
import type { Expression } from '../formula/syntax.ts';
import { fromNumber, type DocumentNumber } from '../notation/numbers.ts';
import type { BlockJson } from '../sbml/blocks.ts';
import type { Names } from '../sbml/names.ts';
import { numberIn } from '../sbml/start.ts';
import { binary, choose, name, number } from '../sbml/syntax.ts';

export type TableJson = Record<string, (DocumentNumber | string)[]>;

export class Writing {
  readonly blocks: BlockJson[] = [];
  readonly tables: Record<string, TableJson> = {};
  readonly names: Names;
  private readonly columns = new Map<string, string>();
  private readonly arrays = new Map<string, boolean>();

  constructor(names: Names) {
    this.names = names;
  }

  /** Under a name as near to `wanted` as can be, which it returns. */
  add(wanted: string, block: Record<string, unknown> & { readonly kind: string }): string {
    const id = this.names.fresh(wanted);
    this.blocks.push({ id, ...block });
    return id;
  }

  formula(wanted: string, formula: Expression, about: Record<string, unknown> = {}): string {
    return this.add(wanted, { kind: 'map', ...about, formula: printExpression(formula) });
  }

  constant(wanted: string, value: unknown, about: Record<string, unknown> = {}): string {
    return this.add(wanted, { kind: 'constant', ...about, value });
  }

  /** A column of a table, and its block; the same values twice are one. */
  column(
    table: string,
    wanted: string,
    values: readonly (number | string)[],
    about: { readonly label?: string; readonly type?: 'int' } = {},
  ): string {
    const cells = values.map((value) => (typeof value === 'number' ? fromNumber(value) : value));
    // Places that are the very times by chance are not these.
    const key = JSON.stringify([table, cells, about.type]);
    const known = this.columns.get(key);
    if (known !== undefined) return known;
    const columns = (this.tables[table] ??= {});
    const id = this.names.fresh(wanted);
    columns[id] = cells;
    this.blocks.push({ id, kind: 'column', table, column: id, ...about });
    this.columns.set(key, id);
    return id;
  }

  /**
   * One expression for each row of a table: itself where they all are one, a column where they are numbers, else a map
   * that picks by a column of classes.
   */
  along(table: string, wanted: string, each: readonly Expression[]): Expression {
    const [first] = each;
    if (first && isOne(each)) return first;
    const numbers = allNumbers(each);
    if (numbers) return name(this.column(table, wanted, numbers));
    return name(this.formula(wanted, this.picked(table, wanted, each)));
  }

  /** The same as a block whose id is given away already. */
  define(id: string, table: string, each: readonly Expression[], about: Record<string, unknown> = {}): void {
    const [first] = each;
    const numbers = allNumbers(each);
    if (numbers && isOne(each))
      this.blocks.push({ id, kind: 'parameter', ...about, initial: fromNumber(numbers[0] ?? NaN), fixed: true });
    else if (numbers) {
      (this.tables[table] ??= {})[id] = numbers.map(fromNumber);
      this.blocks.push({ id, kind: 'column', ...about, table, column: id });
    } else {
      const value = first && isOne(each) ? first : this.picked(table, id, each);
      this.blocks.push({ id, kind: 'map', ...about, formula: printExpression(value) });
    }
  }

  /**
   * Whether a block has an axis, of lanes or of rows. What differs in one solution may be the same in all lanes of another, and
   * is a scalar there.
   */
  isArray(id: string): boolean {
    const known = this.arrays.get(id);
    if (known !== undefined) return known;
    // A map that needs itself is found by the model's own check.
    this.arrays.set(id, false);
    const found = this.hasAxis(this.blocks.find((block) => block.id === id));
    this.arrays.set(id, found);
    return found;
  }

  private hasAxis(block: BlockJson | undefined): boolean {
    if (block?.kind === 'constant') return Array.isArray(block['value']);
    if (block?.kind === 'gather') return this.isArray(String(block['indices']));
    if (block?.kind !== 'map') return block?.kind === 'column';
    const formula = parseFormula(String(block['formula']));
    const inputs = (block['inputs'] ?? {}) as Readonly<Record<string, string>>;
    const names = formula.ok ? freeNames(formula.formula) : [];
    return names.some((each) => this.isArray(Object.hasOwn(inputs, each) ? inputs[each]! : each));
  }

  private picked(table: string, wanted: string, each: readonly Expression[]): Expression {
    const texts = each.map(printExpression);
    const numbers = each.map(numberIn);
    const classes = [...new Set(texts.filter((_, i) => numbers[i] === undefined))];
    const values = classes.map((text) => each[texts.indexOf(text)]!);
    const constants = numbers.filter((value) => value !== undefined);
    const [only] = constants;
    if (only !== undefined) {
      const same = constants.every((value) => Object.is(value, only));
      const column = (): Expression =>
        name(
          this.column(
            table,
            `${wanted}_value`,
            numbers.map((value) => value ?? 0),
          ),
        );
      values.push(same ? number(only) : column());
    }
    const which = this.column(
      table,
      `${wanted}_which`,
      texts.map((text, i) => (numbers[i] === undefined ? classes.indexOf(text) : values.length - 1)),
    );
    // Halved again and again, so that no row looks at more than a few.
    const pick = (from: number, to: number): Expression => {
      if (to - from === 1) return values[from]!;
      const middle = (from + to) >> 1;
      return choose(binary('<', name(which), number(middle)), pick(from, middle), pick(middle, to));
    };
    return pick(0, values.length);
  }
}

const isOne = (each: readonly Expression[]): boolean => {
  const [first = '', ...rest] = each.map(printExpression);
  return rest.every((text) => text === first);
};

function allNumbers(each: readonly Expression[]): number[] | undefined {
  const numbers = each.map(numberIn).filter((value) => value !== undefined);
  return numbers.length === each.length ? numbers : undefined;
}
