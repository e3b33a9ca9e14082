/** A model with its submodels, each copied for every place where it is used, so that copies are replaced and deleted apart. */
import { refuse } from '../refusal.ts';
import { child, listed, type XmlElement } from '../xml.ts';

export const compNamespace = /^https?:\/\/www\.sbml\.org\/sbml\/level3\/version\d\/comp\/version\d+$/;

export const isComp = ({ namespace }: XmlElement): boolean => compNamespace.test(namespace);

/** An attribute of the package, with its prefix or without. */
export function compAttribute({ attributes }: XmlElement, key: string): string | undefined {
  for (const [name, value] of attributes) {
    const [, namespace, local] = /^\{(.*)\}(.*)$/.exec(name) ?? [];
    if (local === key && compNamespace.test(namespace ?? '')) return value;
  }
  return attributes.get(key);
}

/** A copy of an element, to be told from other copies. */
export interface Node {
  readonly element: XmlElement;
  readonly children: readonly Node[];
  readonly instance: Instance;
}

export interface Submodel {
  readonly instance: Instance;
  /** Ids of the model that uses it. */
  readonly timeFactor: string | undefined;
  readonly extentFactor: string | undefined;
}

export interface Instance {
  /** The ids of the submodels that lead to it. */
  readonly path: readonly string[];
  readonly parent: Instance | undefined;
  readonly root: Node;
  readonly submodels: Map<string, Submodel>;
  /** Of what may be referred to by its id: not within kinetic laws and functions. */
  readonly byId: Map<string, Node>;
  readonly units: Map<string, Node>;
  readonly byMetaId: Map<string, Node>;
  readonly ports: Map<string, Node>;
}

/** The text of another file of the model. */
export type OtherFile = (source: string) => XmlElement;

const deepest = 50;

export function instanceOf(
  model: XmlElement,
  sbml: XmlElement,
  otherFile: OtherFile,
  path: readonly string[] = [],
  parent?: Instance,
): Instance {
  if (path.length > deepest) refuse(`submodels lie more than ${deepest} deep: "${path[0]}" holds itself`);
  const instance = {
    path,
    parent,
    submodels: new Map<string, Submodel>(),
    byId: new Map<string, Node>(),
    units: new Map<string, Node>(),
    byMetaId: new Map<string, Node>(),
    ports: new Map<string, Node>(),
  } as Omit<Instance, 'root'> as Instance;
  (instance as { root: Node }).root = copied(model, instance, false);
  for (const submodel of listed(model, 'listOfSubmodels')) {
    const id = compAttribute(submodel, 'id') ?? refuse('a submodel has no id');
    const wanted = compAttribute(submodel, 'modelRef') ?? refuse(`the submodel "${id}" names no model`);
    const found = definitionOf(wanted, sbml, otherFile);
    instance.submodels.set(id, {
      instance: instanceOf(found.model, found.sbml, otherFile, [...path, id], instance),
      timeFactor: compAttribute(submodel, 'timeConversionFactor'),
      extentFactor: compAttribute(submodel, 'extentConversionFactor'),
    });
  }
  return instance;
}

function definitionOf(
  id: string,
  sbml: XmlElement,
  otherFile: OtherFile,
): { readonly model: XmlElement; readonly sbml: XmlElement } {
  const main = child(sbml, 'model');
  const defined = listed(sbml, 'listOfModelDefinitions').find((each) => each.attributes.get('id') === id);
  if (defined) return { model: defined, sbml };
  if (main?.attributes.get('id') === id) return { model: main, sbml };
  const outside = listed(sbml, 'listOfExternalModelDefinitions').find((each) => compAttribute(each, 'id') === id);
  if (!outside) return refuse(`no model "${id}" is defined`);
  const source = compAttribute(outside, 'source') ?? refuse(`the external model "${id}" names no file`);
  const other = otherFile(source);
  const wanted = compAttribute(outside, 'modelRef');
  if (wanted !== undefined) return definitionOf(wanted, other, otherFile);
  const model = child(other, 'model');
  return model ? { model, sbml: other } : refuse(`"${source}" holds no model`);
}

const hidden = new Set(['kineticLaw', 'functionDefinition', 'math']);

/** `within` a law or function ids are of its own. */
function copied(element: XmlElement, instance: Instance, within: boolean): Node {
  const inside = within || hidden.has(element.name);
  const children: Node[] = [];
  const node: Node = { element, children, instance };
  for (const each of element.children)
    if (each.name !== 'notes' && each.name !== 'annotation') children.push(copied(each, instance, inside));
  const meta = element.attributes.get('metaid');
  if (meta !== undefined) instance.byMetaId.set(meta, node);
  if (isComp(element)) {
    const id = compAttribute(element, 'id');
    if (element.name === 'port' && id !== undefined) instance.ports.set(id, node);
    return node;
  }
  const id = element.attributes.get('id');
  if (id === undefined || within || element.name === 'model') return node;
  (element.name === 'unitDefinition' ? instance.units : instance.byId).set(id, node);
  return node;
}

/** The element that a reference (`idRef`, `portRef`, `metaIdRef`, `unitRef`, an `sBaseRef` within) leads to; or a whole submodel. */
export function resolved(reference: XmlElement, instance: Instance): Node | Instance {
  const say = (what: string): never =>
    refuse(`<${reference.name}> refers to ${what}, which ${where(instance)} does not have`);
  const deeper = child(reference, 'sBaseRef');
  const id = compAttribute(reference, 'idRef');
  if (id !== undefined) {
    const submodel = instance.submodels.get(id);
    if (submodel) return deeper ? resolved(deeper, submodel.instance) : submodel.instance;
    return instance.byId.get(id) ?? say(`"${id}"`);
  }
  const port = compAttribute(reference, 'portRef');
  if (port !== undefined) {
    const found = instance.ports.get(port) ?? say(`the port "${port}"`);
    const end = resolved(found.element, instance);
    return deeper && 'submodels' in end ? resolved(deeper, end) : end;
  }
  const unit = compAttribute(reference, 'unitRef');
  if (unit !== undefined) return instance.units.get(unit) ?? say(`the unit "${unit}"`);
  const meta = compAttribute(reference, 'metaIdRef');
  const node = meta === undefined ? undefined : instance.byMetaId.get(meta);
  if (!node) return say(meta === undefined ? 'nothing' : `the metaid "${meta}"`);
  if (node.element.name !== 'submodel') return node;
  const submodel = instance.submodels.get(compAttribute(node.element, 'id') ?? '') ?? say(`the metaid "${meta}"`);
  return deeper ? resolved(deeper, submodel.instance) : submodel.instance;
}

export const where = ({ path }: Instance): string =>
  path.length === 0 ? 'the model' : `the submodel "${path.join('.')}"`;

export function* instancesIn(instance: Instance): Generator<Instance> {
  yield instance;
  for (const submodel of instance.submodels.values()) yield* instancesIn(submodel.instance);
}

export function* nodesIn(node: Node): Generator<Node> {
  yield node;
  for (const each of node.children) yield* nodesIn(each);
}
