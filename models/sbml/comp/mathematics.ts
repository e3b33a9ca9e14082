/** MathML of a submodel in the names and units of the whole: x is x′/factor, its time t/time factor. */
import type { XmlElement } from '../xml.ts';

const symbols = 'http://www.sbml.org/sbml/symbols/';

type Reference = (id: string, given: XmlElement) => XmlElement;

export class Mathematics {
  private readonly reference: Reference;
  private readonly factors: { readonly time: readonly XmlElement[]; readonly extent: readonly XmlElement[] };
  private readonly local: ReadonlySet<string>;

  constructor(reference: Reference, factors: Mathematics['factors'], local: ReadonlySet<string> = new Set()) {
    [this.reference, this.factors, this.local] = [reference, factors, local];
  }

  /** Inside a kinetic law and a function, ids of their own stay. */
  within({ name }: XmlElement, inner: XmlElement): Mathematics {
    if (inner.name !== 'kineticLaw' || name !== 'reaction') return this;
    const local = inner.children.flatMap(({ name: list, children }) =>
      /^listOf(Local)?Parameters$/.test(list) ? children.map(({ attributes }) => attributes.get('id') ?? '') : [],
    );
    return new Mathematics(this.reference, this.factors, new Set(local));
  }

  /** The `math` of an element, whose target is multiplied by `factors`. */
  of(math: XmlElement, { name }: XmlElement, factors: readonly XmlElement[]): XmlElement {
    if (name === 'functionDefinition') return { ...math, children: math.children.map((each) => this.lambda(each)) };
    const { time, extent } = this.factors;
    const multiply = [...factors, ...(name === 'kineticLaw' ? extent : []), ...(name === 'delay' ? time : [])];
    const divide = name === 'kineticLaw' || name === 'rateRule' ? time : [];
    return {
      ...math,
      children: math.children.map((each) => {
        const product = multiply.reduce((value, factor) => converted('times', value, factor), this.written(each));
        return divide.reduce((value, factor) => converted('divide', value, factor), product);
      }),
    };
  }

  private lambda(element: XmlElement): XmlElement {
    const bound = element.children.flatMap(({ name, children }) => (name === 'bvar' ? [textOf(children[0])] : []));
    return new Mathematics(this.reference, this.factors, new Set(bound)).written(element);
  }

  private written(element: XmlElement): XmlElement {
    const { name, children } = element;
    if (name === 'bvar') return element;
    if (name === 'ci') {
      const id = textOf(element);
      return this.local.has(id) ? element : this.reference(id, element);
    }
    if (name === 'csymbol') return kindOf(element) === 'time' ? this.over(element, this.factors.time) : element;
    const [head] = children;
    if (name === 'apply' && head?.name === 'csymbol') {
      const [, first, second] = children;
      if (kindOf(head) === 'delay' && first && second) {
        const past = this.factors.time.reduce(
          (value, factor) => converted('times', value, factor),
          this.written(second),
        );
        return { ...element, children: [head, this.written(first), past] };
      }
      if (kindOf(head) === 'rateOf' && first) return this.rateOf(element, head, first);
    }
    return { ...element, children: children.map((each) => this.written(each)) };
  }

  /** d(x′/f)/d(t/g) = x′̇·g/f */
  private rateOf(element: XmlElement, head: XmlElement, of: XmlElement): XmlElement {
    if (of.name !== 'ci' || this.local.has(textOf(of))) return element;
    let [plain, factors]: [XmlElement, XmlElement[]] = [this.reference(textOf(of), of), []];
    while (plain.name === 'apply' && plain.children[1] && plain.children[2])
      [plain, factors] = [plain.children[1], [plain.children[2], ...factors]];
    const rate = { ...element, children: [head, plain] };
    const quick = this.factors.time.reduce<XmlElement>((value, factor) => converted('times', value, factor), rate);
    return this.over(quick, factors);
  }

  private over(element: XmlElement, factors: readonly XmlElement[]): XmlElement {
    return factors.reduce((value, factor) => converted('divide', value, factor), element);
  }
}

export function converted(operator: 'times' | 'divide', value: XmlElement, factor: XmlElement): XmlElement {
  const element = (name: string, children: readonly XmlElement[]): XmlElement => ({
    ...{ name, namespace: value.namespace, attributes: new Map(), children, texts: [''] },
  });
  return element('apply', [element(operator, []), value, factor]);
}

const textOf = (element: XmlElement | undefined): string => element?.texts.join('').trim() ?? '';

const kindOf = ({ attributes }: XmlElement): string => (attributes.get('definitionURL') ?? '').replace(symbols, '');
