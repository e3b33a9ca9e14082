/** The WGSL that the generator writes, as a tree: declarations, statements, expressions. What it does not write is refused. */

export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly type: 'i32' | 'u32' | 'f32' | 'whole' | 'decimal' }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly type?: string; readonly operands: readonly Expression[] }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Expression;
      readonly right: Expression;
    };

export type Statement =
  | { readonly kind: 'declare'; readonly name: string; readonly type?: string; readonly value?: Expression }
  | { readonly kind: 'assign'; readonly to: Expression; readonly operator: string; readonly value: Expression }
  | {
      readonly kind: 'if';
      readonly condition: Expression;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly kind: 'for';
      readonly begin?: Statement;
      readonly condition?: Expression;
      readonly step?: Statement;
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'call'; readonly call: Expression }
  | { readonly kind: 'return'; readonly value?: Expression }
  | { readonly kind: 'break' | 'continue' };

export interface Typed {
  readonly name: string;
  readonly type: string;
}

export type Declaration =
  | { readonly kind: 'struct'; readonly name: string; readonly members: readonly Typed[] }
  | { readonly kind: 'variable'; readonly name: string; readonly space: string; readonly type: string }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly parameters: readonly (Typed & { readonly builtin?: string })[];
      readonly result?: string;
      readonly body: readonly Statement[];
      /** Threads of a workgroup, of an entry point. */
      readonly lanes?: number;
    };

const tokenPattern =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|0x[\da-fA-F]+[iu]?|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?[iuf]?|[A-Za-z_]\w*|<<=|>>=|&&|\|\||->|==|!=|<=|>=|\+\+|--|[-+*/%|&^]=|<<|>>|[-+*/%|&^!~<>=.,;:(){}[\]@]/y;

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < text.length) {
    const at = tokenPattern.lastIndex;
    const [token = ''] = tokenPattern.exec(text) ?? [];
    if (token === '') throw new SyntaxError(`WGSL unread: ${text.slice(at, at + 40)}`);
    if (!/^(\s|\/\/|\/\*)/.test(token)) tokens.push(token);
  }
  return tokens;
}

/** From the loosest to the tightest; WGSL wants parentheses where C's order surprises, which reads the same here. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

export function parseWgsl(text: string): Declaration[] {
  const reader = new Reader(tokensOf(text));
  const declarations: Declaration[] = [];
  while (!reader.done) declarations.push(reader.declaration());
  return declarations;
}

class Reader {
  private at = 0;
  private readonly tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.tokens = tokens;
  }

  get done(): boolean {
    return this.at >= this.tokens.length;
  }

  private get next(): string {
    return this.tokens[this.at] ?? '';
  }

  private take(): string {
    return this.tokens[this.at++] ?? '';
  }

  private accept(token: string): boolean {
    if (this.next !== token) return false;
    this.at++;
    return true;
  }

  private expect(token: string): void {
    if (!this.accept(token))
      throw new SyntaxError(`WGSL: ${token} wanted at ${this.tokens.slice(this.at, this.at + 12).join(' ')}`);
  }

  private listed<T>(end: string, item: () => T): T[] {
    const items: T[] = [];
    while (!this.accept(end)) {
      items.push(item());
      if (!this.accept(',')) {
        this.expect(end);
        break;
      }
    }
    return items;
  }

  private typeName(): string {
    const name = this.take();
    if (!this.accept('<')) return name;
    const inner = [this.typeName()];
    while (this.accept(',')) inner.push(/^[a-z]/.test(this.next) ? this.typeName() : this.take());
    if (this.next === '>>') (this.tokens as string[]).splice(this.at, 1, '>', '>');
    this.expect('>');
    return `${name}<${inner.join(',')}>`;
  }

  private attributes(): Map<string, string> {
    const found = new Map<string, string>();
    while (this.accept('@')) {
      const name = this.take();
      found.set(name, this.accept('(') ? this.listed(')', () => this.take()).join(',') : '');
    }
    return found;
  }

  private typed = () => {
    const attributes = this.attributes();
    const name = this.take();
    this.expect(':');
    const builtin = attributes.get('builtin');
    return { name, type: this.typeName(), ...(builtin !== undefined && { builtin }) };
  };

  declaration(): Declaration {
    const attributes = this.attributes();
    if (this.accept('struct')) {
      const name = this.take();
      this.expect('{');
      const members = this.listed('}', this.typed);
      this.accept(';');
      return { kind: 'struct', name, members };
    }
    if (this.accept('const')) {
      const name = this.take();
      this.expect('=');
      const value = this.expression();
      this.expect(';');
      if (value.kind !== 'number') throw new SyntaxError(`WGSL: the constant ${name} is no number`);
      return { kind: 'variable', name, space: `constant ${value.value}`, type: value.type };
    }
    if (this.accept('var')) {
      this.expect('<');
      const space = this.take();
      while (!this.accept('>')) this.take();
      const { name, type } = this.typed();
      this.expect(';');
      return { kind: 'variable', name, space, type };
    }
    this.expect('fn');
    const name = this.take();
    this.expect('(');
    const parameters = this.listed(')', this.typed);
    const result = this.accept('->') ? this.typeName() : undefined;
    const lanes = attributes.get('workgroup_size');
    return {
      kind: 'function',
      name,
      parameters,
      ...(result !== undefined && { result }),
      body: this.block(),
      ...(lanes !== undefined && { lanes: Number(lanes) }),
    };
  }

  private block(): Statement[] {
    this.expect('{');
    const body: Statement[] = [];
    while (!this.accept('}')) if (!this.accept(';')) body.push(this.statement());
    return body;
  }

  private statement(): Statement {
    if (this.next === '{') return { kind: 'block', body: this.block() };
    if (this.accept('if')) return this.branch();
    if (this.accept('loop')) return { kind: 'for', body: this.block() };
    if (this.accept('while')) {
      const condition = this.expression();
      return { kind: 'for', condition, body: this.block() };
    }
    if (this.accept('for')) {
      this.expect('(');
      const begin = this.next === ';' ? undefined : this.simple();
      this.expect(';');
      const condition = this.next === ';' ? undefined : this.expression();
      this.expect(';');
      const step = this.next === ')' ? undefined : this.simple();
      this.expect(')');
      return {
        kind: 'for',
        ...(begin && { begin }),
        ...(condition && { condition }),
        ...(step && { step }),
        body: this.block(),
      };
    }
    const statement = this.simple();
    this.expect(';');
    return statement;
  }

  private branch(): Statement {
    const condition = this.expression();
    const then = this.block();
    if (!this.accept('else')) return { kind: 'if', condition, then, otherwise: [] };
    return { kind: 'if', condition, then, otherwise: this.accept('if') ? [this.branch()] : this.block() };
  }

  /** A statement without its semicolon. */
  private simple(): Statement {
    if (this.accept('let') || this.accept('var') || this.accept('const')) {
      const name = this.take();
      const type = this.accept(':') ? this.typeName() : undefined;
      const value = this.accept('=') ? this.expression() : undefined;
      return { kind: 'declare', name, ...(type !== undefined && { type }), ...(value && { value }) };
    }
    if (this.accept('return')) return { kind: 'return', ...(this.next !== ';' && { value: this.expression() }) };
    if (this.accept('break')) return { kind: 'break' };
    if (this.accept('continue')) return { kind: 'continue' };
    const to = this.unary();
    if (to.kind === 'call') return { kind: 'call', call: to };
    const operator = this.take();
    if (operator === '++' || operator === '--')
      return {
        kind: 'assign',
        to,
        operator: operator[0]!,
        value: { kind: 'number', value: 1, type: 'whole' },
      };
    if (!operator.endsWith('=')) throw new SyntaxError(`WGSL: no statement begins so: ${operator}`);
    return { kind: 'assign', to, operator: operator.slice(0, -1), value: this.expression() };
  }

  private expression(level = 0): Expression {
    const operators = levels[level];
    if (!operators) return this.unary();
    let left = this.expression(level + 1);
    while (operators.includes(this.next)) {
      const operator = this.take();
      left = { kind: 'binary', operator, left, right: this.expression(level + 1) };
    }
    return left;
  }

  private unary(): Expression {
    if (['-', '!', '~', '&'].includes(this.next)) {
      const operator = this.take();
      return { kind: 'unary', operator, operand: this.unary() };
    }
    let value = this.primary();
    for (;;) {
      if (this.accept('[')) {
        value = { kind: 'index', of: value, at: this.expression() };
        this.expect(']');
      } else if (this.accept('.')) value = { kind: 'member', of: value, name: this.take() };
      else return value;
    }
  }

  private primary(): Expression {
    if (this.accept('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (this.next === 'true' || this.next === 'false') return { kind: 'truth', value: this.take() === 'true' };
    if (/^[\d.]/.test(this.next)) return numberOf(this.take());
    const name = this.take();
    const type = name === 'bitcast' || /^(vec\d|array)$/.test(name) ? this.template() : undefined;
    if (!this.accept('(')) return { kind: 'name', name };
    const operands = this.listed(')', () => this.expression());
    return { kind: 'call', name, ...(type !== undefined && { type }), operands };
  }

  private template(): string {
    this.expect('<');
    const type = this.typeName();
    const length = this.accept(',') ? `,${this.take()}` : '';
    this.expect('>');
    return `${type}${length}`;
  }
}

function numberOf(token: string): Expression {
  const hexadecimal = token.startsWith('0x');
  const suffix = hexadecimal ? /[iu]$/.exec(token)?.[0] : /[iuf]$/.exec(token)?.[0];
  const value = Number(suffix === undefined ? token : token.slice(0, -1));
  const types = { i: 'i32', u: 'u32', f: 'f32' } as const;
  const type = suffix ? types[suffix as keyof typeof types] : /[.eE]/.test(token) && !hexadecimal ? 'decimal' : 'whole';
  return { kind: 'number', value, type };
}
