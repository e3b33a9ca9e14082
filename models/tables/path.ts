/** Where a table's file may lie: in the document's folder or below it. */

/** A sentence where `file` would lead out of the document's folder, by its text alone; links are the reader's to follow. */
export function pathFault(file: string): string | undefined {
  if (file === '') return 'the file name is empty';
  if (file.includes('\0')) return 'the file name has a NUL character';
  if (/^(?:[A-Za-z]:|[\\/])/.test(file))
    return 'the file must lie in the folder of the document, and this path is absolute';
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(file))
    return 'the file must lie in the folder of the document, and this is an address';
  if (file.split(/[\\/]/).includes('..'))
    return 'the file must lie in the folder of the document, and ".." leads out of it';
  return undefined;
}
