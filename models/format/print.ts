/** A document as a person would write it: one block a line, so that a diff shows what changed. */
const width = 120;

/** `document` is a `Document`, or JSON that may not be one yet. */
export function printDocument(document: object): string {
  return `${write(document, '', true)}\n`;
}

/** On one line where it fits; the document itself, and what holds several objects, always one entry a line. */
function write(value: unknown, indent: string, open: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const line = inline(value);
  const objects = Object.values(value).filter(
    (entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry),
  );
  const listsObjects = objects.length > (Array.isArray(value) ? 0 : 1);
  if (!open && !listsObjects && indent.length + line.length <= width) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (!listsObjects && value.every((entry) => typeof entry !== 'object')) return filled(value, indent);
    return `[\n${value.map((entry) => inner + entryLine(entry, inner)).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{\n${entries.map(([key, entry]) => `${inner}${JSON.stringify(key)}: ${write(entry, inner, false)}`).join(',\n')}\n${indent}}`;
}

/** A block stays on its line however long it is, unless it is a group, which has lines of its own. */
function entryLine(entry: unknown, indent: string): string {
  const isGroup = typeof entry === 'object' && entry !== null && 'blocks' in entry;
  return isGroup ? write(entry, indent, true) : inline(entry);
}

function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, entry]) => `${JSON.stringify(key)}: ${inline(entry)}`).join(', ')} }`;
}

/** A long list of numbers or words: as many on a line as fit. */
function filled(list: readonly unknown[], indent: string): string {
  const inner = `${indent}  `;
  const lines: string[] = [];
  let line = inner;
  for (const [i, entry] of list.entries()) {
    const text = `${JSON.stringify(entry)}${i < list.length - 1 ? ',' : ''}`;
    if (line !== inner && line.length + text.length + 1 > width) {
      lines.push(line);
      line = inner;
    }
    line += line === inner ? text : ` ${text}`;
  }
  return `[\n${[...lines, line].join('\n')}\n${indent}]`;
}
