/** The codes of a category are names, and no numbers to count with: what is said where a block takes them as such. */
import type { ElementType } from '../../../engine/index.ts';
import { parseFormula } from '../../formula/parse.ts';
import { children, type Expression } from '../../formula/syntax.ts';
import { cellNumber } from '../../tables/cells.ts';
import type { FormulaSource } from '../../formula/compile.ts';
import type { BlockBase, InferContext } from '../kind.ts';

/** Where codes may stand beside numbers: what is observed, censored or truncated has words of its own. */
const own = /^(?:observed|censored\..*|truncated\..*)$/;

/** The ports of a block that want numbers, which no formula takes. */
const numberPorts: ReadonlyMap<string, (port: string) => boolean> = new Map<string, (port: string) => boolean>([
  ['interpolate', () => true],
  ['matmul', () => true],
  ['least-squares', (port) => !own.test(port)],
  ['likelihood', (port) => !own.test(port)],
  ['ode', (port) => port === 'times' || port.includes('.')],
]);

/** Reports categories at ports that want numbers. */
export function refuseCodes({ kind }: BlockBase, ports: Iterable<string>, context: InferContext): void {
  const wantsNumbers = numberPorts.get(kind);
  if (!wantsNumbers) return;
  for (const port of ports) {
    const labels = wantsNumbers(port) ? context.input(port)?.category : undefined;
    if (!labels) continue;
    context.fail(`"${port}" is text (${sample(labels)}), whose codes ${codes(labels)} are no numbers`, {
      ...{ port, wanted: 'numbers', got: 'a category' },
      ...fixOf(labels),
    });
  }
}

/**
 * Categories that a formula counts with. Where every label looks like a number in another notation the cells were meant, and
 * never the codes, also where they are compared (`t > 10`): that is an error. Whole numbers made of codes may be indices.
 */
export function lookAtCodes(
  context: InferContext,
  formulas: readonly FormulaSource[],
  results: readonly ElementType[],
): void {
  const seen = new Set<string>();
  formulas.forEach(({ output, text }, i) => {
    const parsed = parseFormula(text);
    if (!parsed.ok) return;
    const { definitions, result } = parsed.formula;
    const local = new Set(definitions.map(({ name }) => name));
    for (const expression of [...definitions.map(({ value }) => value), result])
      for (const { name, from, to, compared } of takenAsNumbers(expression)) {
        const labels = local.has(name) || seen.has(name) ? undefined : context.input(name)?.category;
        const meant = labels !== undefined && lookLikeNumbers(labels);
        if (!labels || (compared && !meant)) continue;
        seen.add(name);
        const details = { port: name, span: [from, to] as [number, number], ...(output !== '' && { output }) };
        const [what, counted] = [`"${name}" is text (${sample(labels)})`, `its codes ${codes(labels)}`];
        if (meant)
          context.fail(`${what}, and ${counted} would be counted with`, {
            ...details,
            fix: `${fixOf(labels).fix}; where codes are meant, write real(${name})`,
          });
        else if (results[i] !== 'int' && !areTruthValues(labels))
          context.warn(`${what}, and ${counted} are counted with`, { ...details, ...fixOf(labels) });
      }
  });
}

type Taken = Extract<Expression, { kind: 'name' }> & { readonly compared: boolean };

/**
 * The names that are compared with a number, stand in arithmetic, or go into a function: not those that are compared with
 * each other, or made real on purpose.
 */
function takenAsNumbers(root: Expression): Taken[] {
  const found: Taken[] = [];
  const open: Expression[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const use = useOf(node);
    for (const child of children(node)) {
      if (child.kind !== 'name') open.push(child);
      else if (use) found.push({ ...child, compared: use === 'compared' });
    }
  }
  return found;
}

function useOf(node: Expression): 'compared' | 'counted' | undefined {
  if (node.kind === 'binary') {
    if (['+', '-', '*', '/', '^'].includes(node.operator)) return 'counted';
    const isComparison = node.operator !== 'and' && node.operator !== 'or';
    return isComparison && (isNumber(node.left) || isNumber(node.right)) ? 'compared' : undefined;
  }
  if (node.kind === 'unary') return node.operator === '-' ? 'counted' : undefined;
  return node.kind === 'call' && !['real', 'if', 'length', 'isnan'].includes(node.name) ? 'counted' : undefined;
}

const isNumber = (node: Expression): boolean =>
  node.kind === 'number' || (node.kind === 'unary' && node.operator === '-' && isNumber(node.operand));

/** `12:30`, `5 %`, `$3`, `1.234,5`, `28.02.2024`, and what a file has in quotes. */
const looksLikeNumber = /^[\s+\-−(]*\p{Sc}?\s*[\d.,]*\d/u;
const lookLikeNumbers = (labels: readonly string[]): boolean =>
  labels.length > 0 && labels.every((label) => looksLikeNumber.test(label));

const areTruthValues = (labels: readonly string[]): boolean => labels.join().toLowerCase() === 'false,true';

function fixOf(labels: readonly string[]): { readonly fix: string } {
  if (labels.every((label) => cellNumber(label, '.') !== undefined)) return { fix: 'say "type": "real" on its column' };
  if (labels.every((label) => cellNumber(label, ',') !== undefined)) return { fix: 'say "decimal": "," on its table' };
  return lookLikeNumbers(labels)
    ? { fix: 'write its cells as plain numbers, or let "import" read them' }
    : { fix: 'compare it with a code, or take parameters by it with a gather' };
}

const most = 3;

const sample = (labels: readonly string[]): string =>
  [...labels.slice(0, most).map((label) => JSON.stringify(label)), ...(labels.length > most ? ['…'] : [])].join(', ');

const codes = (labels: readonly string[]): string =>
  labels.length > most ? '0, 1, 2, …' : labels.map((_, code) => code).join(', ');
