/**
 * A model composed of submodels (package comp) as one without: what is deleted goes, what is replaced stands for what replaces
 * it, and the rest is called SUBMODEL__ID. Factors of conversion are written into the mathematics.
 */
import { refuse } from '../refusal.ts';
import { child, listed, type XmlElement } from '../xml.ts';
import {
  compAttribute,
  compNamespace,
  instanceOf,
  instancesIn,
  isComp,
  nodesIn,
  resolved,
  where,
  type Instance,
  type Node,
  type OtherFile,
} from './instance.ts';
import { converted, Mathematics } from './mathematics.ts';

export interface Flat {
  readonly root: XmlElement;
  /** What was replaced → what stands for it, where both are the same number. */
  readonly aliases: ReadonlyMap<string, string>;
}

export function usesComp(root: XmlElement): boolean {
  return root.children.some(isComp) || listedIn(root).some((model) => model.children.some(isComp));
}

const listedIn = (root: XmlElement): XmlElement[] => root.children.filter(({ name }) => name === 'model');

/** Files that external definitions name. */
export const sourcesIn = (root: XmlElement): string[] =>
  listed(root, 'listOfExternalModelDefinitions').flatMap((each) => compAttribute(each, 'source') ?? []);

/** Throws `SbmlRefusal`. */
export function flattened(root: XmlElement, otherFile: OtherFile): Flat {
  const model = child(root, 'model') ?? refuse('the file holds no model');
  const top = instanceOf(model, root, otherFile);
  const flat = new Flattening(top);
  return { root: { ...root, attributes: withoutComp(root), children: [flat.model()] }, aliases: flat.aliases() };
}

const withoutComp = ({ attributes }: XmlElement): Map<string, string> =>
  new Map([...attributes].filter(([key]) => !compNamespace.test(/^\{(.*)\}/.exec(key)?.[1] ?? '')));

interface Replacement {
  readonly by: Node;
  /** Id in the instance of the replacement, by which what is replaced is multiplied. */
  readonly factor: { readonly id: string; readonly instance: Instance } | undefined;
}

const pointing: Readonly<Record<string, readonly string[]>> = {
  species: ['compartment', 'conversionFactor'],
  reaction: ['compartment'],
  speciesReference: ['species'],
  modifierSpeciesReference: ['species'],
  assignmentRule: ['variable'],
  rateRule: ['variable'],
  initialAssignment: ['symbol'],
  eventAssignment: ['variable'],
};

const unitKeys = ['units', 'substanceUnits', 'timeUnits', 'volumeUnits'];

class Flattening {
  private readonly top: Instance;
  private readonly gone = new Set<Node>();
  private readonly goneInstances = new Set<Instance>();
  private readonly replaced = new Map<Node, Replacement>();
  private readonly names = new Map<Node, string>();

  constructor(top: Instance) {
    this.top = top;
    for (const instance of instancesIn(top)) this.delete(instance);
    for (const instance of instancesIn(top)) if (!this.isGone(instance)) this.replace(instance);
    this.call();
  }

  model(): XmlElement {
    const { element } = this.top.root;
    const lists = new Map<string, XmlElement[]>();
    for (const instance of instancesIn(this.top)) {
      if (this.isGone(instance)) continue;
      const mathematics = new Mathematics(this.referenceIn(instance), this.factorsOf(instance));
      for (const list of instance.root.children) {
        if (!/^listOf/.test(list.element.name) || isComp(list.element) || this.gone.has(list)) continue;
        const own = lists.get(list.element.name) ?? [];
        lists.set(list.element.name, own);
        for (const item of list.children) if (this.stays(item)) own.push(this.written(item, mathematics));
      }
    }
    const children = [...lists].map(([name, items]): XmlElement => {
      return { ...element, name, attributes: new Map(), children: items, texts: [''] };
    });
    demandOnce(children);
    return { ...element, attributes: withoutComp(element), children, texts: [''] };
  }

  /** Every name of what is replaced, and not by another multiple of itself. */
  aliases(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [node] of this.replaced) {
      const id = node.element.attributes.get('id');
      if (id === undefined || this.isGone(node.instance)) continue;
      const { node: end, factors } = this.endOf(node);
      const name = this.names.get(end);
      const own = [...node.instance.path, id].join('__');
      if (factors.length === 0 && name !== undefined && name !== own) found.set(own, name);
    }
    return found;
  }

  private isGone(instance: Instance): boolean {
    return this.goneInstances.has(instance) || (instance.parent !== undefined && this.isGone(instance.parent));
  }

  private stays(node: Node): boolean {
    return !this.gone.has(node) && !this.replaced.has(node) && !isComp(node.element);
  }

  private submodel(instance: Instance, id: string | undefined): Instance {
    return instance.submodels.get(id ?? '')?.instance ?? refuse(`${where(instance)} has no submodel "${id ?? ''}"`);
  }

  private delete(instance: Instance): void {
    for (const submodel of listed(instance.root.element, 'listOfSubmodels'))
      for (const deletion of listed(submodel, 'listOfDeletions')) {
        const end = resolved(deletion, this.submodel(instance, compAttribute(submodel, 'id')));
        if ('submodels' in end) this.goneInstances.add(end);
        else this.gone.add(end);
      }
  }

  private replace(instance: Instance): void {
    for (const node of nodesIn(instance.root)) {
      for (const list of node.children) {
        const { element } = list;
        if (!isComp(element)) continue;
        if (element.name === 'listOfReplacedElements')
          for (const each of list.children) this.replaceOne(instance, node, each.element);
        if (element.name === 'replacedBy') {
          const by = this.targetOf(instance, element);
          if (by) this.replaced.set(node, { by, factor: undefined });
        }
      }
    }
  }

  private replaceOne(instance: Instance, by: Node, reference: XmlElement): void {
    if (compAttribute(reference, 'deletion') !== undefined) return;
    const target = this.targetOf(instance, reference);
    if (!target) return;
    const id = compAttribute(reference, 'conversionFactor');
    if (this.replaced.has(target)) refuse(`${describe(target)} of ${where(target.instance)} is replaced twice`);
    this.replaced.set(target, { by, factor: id === undefined ? undefined : { id, instance } });
  }

  private targetOf(instance: Instance, reference: XmlElement): Node | undefined {
    const submodel = this.submodel(instance, compAttribute(reference, 'submodelRef'));
    const end = resolved(reference, submodel);
    if ('submodels' in end) return refuse(`${where(end)} is replaced as a whole, which is not understood`);
    return this.gone.has(end) || this.isGone(end.instance) ? undefined : end;
  }

  private endOf(node: Node): { readonly node: Node; readonly factors: XmlElement[] } {
    const factors: XmlElement[] = [];
    let at = node;
    const seen = new Set<Node>();
    for (let next = this.replaced.get(at); next; next = this.replaced.get(at)) {
      if (seen.has(at)) return refuse(`${describe(node)} of ${where(node.instance)} replaces itself`);
      seen.add(at);
      if (next.factor) factors.push(...this.factor(next.factor.id, next.factor.instance));
      at = next.by;
    }
    return { node: at, factors };
  }

  /** A factor as mathematics: what it is called, over what it may itself be converted by. */
  private factor(id: string, instance: Instance): XmlElement[] {
    return [this.referenceIn(instance)(id, name('ci', id))];
  }

  /** Names: of those that stand for one another that of the outermost. */
  private call(): void {
    const used = new Set<string>();
    const wanted = new Map<Node, { readonly depth: number; readonly name: string }>();
    for (const instance of instancesIn(this.top)) {
      if (this.isGone(instance)) continue;
      for (const [id, node] of [...instance.byId, ...instance.units]) {
        if (this.gone.has(node)) continue;
        const { node: end } = this.endOfNames(node);
        const known = wanted.get(end);
        const { length: depth } = instance.path;
        if (!known || depth < known.depth) wanted.set(end, { depth, name: [...instance.path, id].join('__') });
      }
    }
    for (const [node, { name: text }] of [...wanted].sort(([, a], [, b]) => a.depth - b.depth)) {
      let own = text;
      while (used.has(own)) own += '_';
      used.add(own);
      this.names.set(node, own);
    }
  }

  private endOfNames(node: Node): { readonly node: Node } {
    let at = node;
    for (let next = this.replaced.get(at), count = 0; next; next = this.replaced.get(at)) {
      if (count++ > this.replaced.size) return refuse(`${describe(node)} of ${where(node.instance)} replaces itself`);
      at = next.by;
    }
    return { node: at };
  }

  private idOf(id: string, instance: Instance, units = false): string | undefined {
    const node = (units ? instance.units : instance.byId).get(id);
    return node && !this.gone.has(node) ? this.names.get(this.endOfNames(node).node) : undefined;
  }

  private referenceIn(instance: Instance): (id: string, given: XmlElement) => XmlElement {
    return (id, given) => {
      const node = instance.byId.get(id);
      if (!node) return given;
      if (this.gone.has(node)) return refuse(`"${id}" of ${where(instance)} is used, and deleted`);
      const { node: end, factors } = this.endOf(node);
      const own = name('ci', this.names.get(end) ?? id);
      const plain = factors.reduce((value, factor) => converted('divide', value, factor), own);
      if (end.element.name !== 'reaction') return plain;
      // A rate is an extent over a time, of the whole: here it is one of this instance.
      const { time, extent } = this.factorsOf(instance);
      const slow = extent.reduce((value, factor) => converted('divide', value, factor), plain);
      return time.reduce((value, factor) => converted('times', value, factor), slow);
    };
  }

  /** By what time and extent of an instance are converted, from the outermost in. */
  private factorsOf(instance: Instance): { readonly time: XmlElement[]; readonly extent: XmlElement[] } {
    const { parent, path } = instance;
    if (!parent) return { time: [], extent: [] };
    const outer = this.factorsOf(parent);
    const { timeFactor, extentFactor } = parent.submodels.get(path.at(-1) ?? '') ?? {};
    const of = (id: string | undefined): XmlElement[] => (id === undefined ? [] : this.factor(id, parent));
    return { time: [...outer.time, ...of(timeFactor)], extent: [...outer.extent, ...of(extentFactor)] };
  }

  /** By what the target of a rule or assignment is multiplied. */
  private targetFactors(id: string | undefined, instance: Instance): XmlElement[] {
    const node = id === undefined ? undefined : instance.byId.get(id);
    return node ? this.endOf(node).factors : [];
  }

  private written(node: Node, mathematics: Mathematics): XmlElement {
    const { element, instance } = node;
    const attributes = new Map(withoutComp(element));
    const own =
      instance.byId.get(attributes.get('id') ?? '') === node || instance.units.get(attributes.get('id') ?? '') === node;
    if (own) attributes.set('id', this.names.get(node) ?? '');
    for (const key of pointing[element.name] ?? []) {
      const id = attributes.get(key);
      if (id !== undefined) attributes.set(key, this.idOf(id, instance) ?? id);
    }
    for (const key of unitKeys) {
      const id = attributes.get(key);
      if (id !== undefined) attributes.set(key, this.idOf(id, instance, true) ?? id);
    }
    // What a submodel says of all of its species is said of each.
    const usual = instance.root.element.attributes.get('conversionFactor');
    if (element.name === 'species' && instance.parent && usual !== undefined && !attributes.has('conversionFactor'))
      attributes.set('conversionFactor', this.idOf(usual, instance) ?? usual);
    const target = element.attributes.get('variable') ?? element.attributes.get('symbol');
    const factors = this.targetFactors(target, instance);
    const children = node.children
      .filter((each) => this.stays(each))
      .map((each) =>
        each.element.name === 'math'
          ? mathematics.of(each.element, element, factors)
          : this.written(each, element.name === 'kineticLaw' ? mathematics : mathematics.within(element, each.element)),
      );
    return { ...element, attributes, children, texts: element.texts };
  }
}

const describe = ({ element }: Node): string => `<${element.name}> "${element.attributes.get('id') ?? ''}"`;

const name = (tag: string, text: string): XmlElement => ({
  name: tag,
  namespace: 'http://www.w3.org/1998/Math/MathML',
  attributes: new Map(),
  children: [],
  texts: [text],
});

/** Two rules of one symbol have no meaning, and come about where one was to be deleted. */
function demandOnce(lists: readonly XmlElement[]): void {
  for (const { name: list, children } of lists) {
    const seen = new Set<string>();
    for (const each of children) {
      const target = /^listOf(Rules|InitialAssignments)$/.test(list)
        ? (each.attributes.get('variable') ?? each.attributes.get('symbol'))
        : undefined;
      if (target === undefined) continue;
      if (seen.has(target)) refuse(`"${target}" is set twice in ${list}, by a model and its submodel`);
      seen.add(target);
    }
  }
}
