/**
 * Reads Futhark as we write it: brackets that close, names that are bound by then, entry points with their types. It is
 * no compiler: types and sizes within are not checked.
 */
const library = new Set(
  `f64 i32 i64 u32 bool true false map map2 map3 reduce scan hist scatter tabulate replicate iota copy vjp
let in def entry if then else loop for do with`.split(/\s+/),
);

export interface Entry {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly result: string;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

/** Throws where the text is none of ours. */
export function readFuthark(source: string): Entry[] {
  const text = source.replaceAll(/--.*$/gm, '');
  balance(text);
  checkNames(text);
  return [...text.matchAll(/^entry (\w+)((?: \(\w+: [^)]*\))*): ([^=]+?) =/gm)].map(
    ([, name = '', given = '', result = '']) => ({
      name,
      parameters: [...given.matchAll(/\(\w+: ([^)]*)\)/g)].map(([, type = '']) => type),
      result,
    }),
  );
}

function balance(text: string): void {
  const open: string[] = [];
  for (const character of text) {
    if (character in closing) open.push(closing[character]!);
    else if ((character === ')' || character === ']') && open.pop() !== character)
      throw new Error(`a ${character} that closes nothing`);
  }
  if (open.length > 0) throw new Error(`${open.length} brackets are not closed`);
}

function checkNames(text: string): void {
  const known = new Set(library);
  const token = /(?<number>\d[\w.]*(?:e[+-]?\d+\w*)?)|(?<field>\.\w+)|(?<name>[A-Za-z_]\w*)|(?<mark>\\|->|=|[^\s\w])/g;
  // Names are bound from a binding word to the mark that ends its pattern.
  let binding: string | undefined;
  let annotated = false;
  for (const { groups } of text.matchAll(token)) {
    const { name, mark } = groups ?? {};
    if (mark === '\\') binding = '->';
    else if (name === 'let' || name === 'def' || name === 'entry' || name === 'loop')
      [binding, annotated] = ['=', false];
    else if (name === 'for') binding = '<';
    else if (mark !== undefined && mark === binding) [binding, annotated] = [undefined, false];
    else if (mark === ':') annotated = true;
    else if (mark === ')' || mark === '(') annotated = false;
    else if (name !== undefined && binding !== undefined && !annotated) known.add(name);
    else if (name !== undefined && !known.has(name)) throw new Error(`${name} is not bound`);
  }
}
