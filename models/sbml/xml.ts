/** XML as plain elements: names without prefixes, namespaces beside them. */
import { DOMParser, type Element as DomElement } from '@xmldom/xmldom';
import { refuse } from './refusal.ts';

export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  /** Those without a prefix by their names, others as `{namespace}name`. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The characters directly within, before and between children. */
  readonly texts: readonly string[];
}

const declarations = 'http://www.w3.org/2000/xmlns/';

/** Throws `SbmlRefusal` for what is no XML. No entity of a file's own is read. */
export function parseXml(text: string): XmlElement {
  if (/<!DOCTYPE/i.test(text)) refuse('the file has a document type definition, which is not read');
  const faults: string[] = [];
  try {
    const document = new DOMParser({
      onError: (level, message) => {
        if (level !== 'warning') faults.push(message);
      },
    }).parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');
    const root = document.documentElement;
    if (root && faults.length === 0) return elementOf(root);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return refuse(`the file is no XML: ${firstOf(faults[0] ?? 'it has no element')}`);
}

/** Its first line, as far as one reads: the parser lists all tags that are open. */
const firstOf = (fault: string): string => fault.split('\n')[0]!.replace(/^(.{200}).+/, '$1 …');

function elementOf(element: DomElement): XmlElement {
  const attributes = new Map<string, string>();
  for (const { namespaceURI, localName, name, value } of element.attributes)
    if (namespaceURI !== declarations)
      attributes.set(namespaceURI ? `{${namespaceURI}}${localName}` : (localName ?? name), value);
  const children: XmlElement[] = [];
  const texts: string[] = [''];
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === node.ELEMENT_NODE) {
      children.push(elementOf(node as DomElement));
      texts.push('');
    } else if (node.nodeType === node.TEXT_NODE || node.nodeType === node.CDATA_SECTION_NODE)
      texts[texts.length - 1] += node.nodeValue ?? '';
  return {
    name: element.localName ?? element.tagName,
    namespace: element.namespaceURI ?? '',
    attributes,
    children,
    texts,
  };
}

export function child({ children }: XmlElement, name: string): XmlElement | undefined {
  return children.find((each) => each.name === name);
}

/** The elements of `listOfThings`; none where there is no such list. */
export function listed(element: XmlElement, list: string): readonly XmlElement[] {
  return child(element, list)?.children.filter(({ name }) => name !== 'notes' && name !== 'annotation') ?? [];
}

/** As XML Schema writes doubles: in tens, and without names; NaN of what is none. */
export function decimal(text: string): number {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
}
