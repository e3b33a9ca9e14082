/** NPY files as NumPy writes them. */
import { describe, expect, it } from 'vitest';
import { readNpy } from '../../../models/tables/npy.ts';
import { readTables } from '../../../models/tables/read-tables.ts';

function npy(descr: string, shape: string, data: ArrayBufferView, more = 'False'): Uint8Array {
  const header = `{'descr': ${descr}, 'fortran_order': ${more}, 'shape': ${shape}, }\n`;
  const head = [0x93, ...Buffer.from('NUMPY'), 1, 0, header.length & 255, header.length >> 8];
  return Uint8Array.from([...head, ...Buffer.from(header), ...new Uint8Array(data.buffer)]);
}
const cells = (bytes: Uint8Array): unknown[] =>
  [...readNpy('t', 't.npy', bytes).columns].map(([name, column]) => [
    name,
    column.kind === 'numbers' && [...column.values],
  ]);

describe('an NPY file', () => {
  it('gives a column for each of its own, in either order of elements', () => {
    const rows = npy("'<f8'", '(2, 3)', Float64Array.of(1, 2, 3, 4, 5, 6));
    const columns = npy("'<f8'", '(2, 3)', Float64Array.of(1, 4, 2, 5, 3, 6), 'True');
    const wanted = [
      ['column1', [1, 4]],
      ['column2', [2, 5]],
      ['column3', [3, 6]],
    ];
    expect(cells(rows)).toEqual(wanted);
    expect(cells(columns)).toEqual(wanted);
    expect(cells(npy("'<i4'", '(3,)', Int32Array.of(7, -8, 9)))).toEqual([['column1', [7, -8, 9]]]);
  });

  it('of records has their names', () => {
    const data = new DataView(new ArrayBuffer(24));
    [1.5, 2.5].forEach((x, i) => data.setFloat64(i * 12, x, true));
    [3, 4].forEach((k, i) => data.setInt32(i * 12 + 8, k, true));
    expect(cells(npy("[('x', '<f8'), ('__proto__', '<i4')]", '(2,)', data))).toEqual([
      ['x', [1.5, 2.5]],
      ['__proto__', [3, 4]],
    ]);
  });

  it('has names in Latin-1, or in UTF-8 from version 3 on, and as Python writes them', () => {
    // As numpy.save writes them: repr, then the encoding of the version.
    const file = (version: number, names: string): Uint8Array => {
      const header = Buffer.from(
        `{'descr': [${names}], 'fortran_order': False, 'shape': (1,), }\n`,
        version < 3 ? 'latin1' : 'utf8',
      );
      const length = [header.length & 255, header.length >> 8, ...(version < 2 ? [] : [0, 0])];
      const data = new Uint8Array(Float64Array.of(1, 2).buffer);
      return Uint8Array.from([0x93, ...Buffer.from('NUMPY'), version, 0, ...length, ...header, ...data]);
    };
    const names = (version: number, text: string): unknown[] =>
      cells(file(version, text)).map((cell) => (cell as [string])[0]);
    for (const version of [1, 2, 3])
      expect(names(version, "('Größe', '<f8'), ('µ\\x85', '<f8')")).toEqual(['Größe', 'µ\u0085']);
    expect(names(3, "('質量', '<f8'), ('\\U0001d6fc', '<f8')")).toEqual(['質量', '𝛼']);
    expect(names(1, `("y'q", '<f8'), ('a"b', '<f8')`)).toEqual(["y'q", 'a"b']);
    expect(names(1, `('it\\'s "so"', '<f8'), ('a\\\\b\\n', '<f8')`)).toEqual([`it's "so"`, 'a\\b\n']);
    // No name is taken for a part of the header.
    expect(names(1, `("'shape': (9,), '", '<f8'), ('#0', '<f8')`)).toEqual(["'shape': (9,), '", '#0']);
  });

  it('of a matrix of records is refused', () => {
    const matrix = npy("[('x', '<f8'), ('y', '<f8')]", '(2, 1)', Float64Array.of(1, 2, 3, 4), 'True');
    expect(() => readNpy('t', 't.npy', matrix)).toThrow('wanted a list of records, got a matrix of them');
  });

  it('that cannot be read is refused in a sentence', () => {
    const refused = (bytes: Uint8Array) => () => readNpy('t', 't.npy', bytes);
    expect(refused(new Uint8Array(20))).toThrow('no NPY file');
    expect(refused(npy("'|O'", '(1,)', new Float64Array(1)))).toThrow('"|O"');
    expect(refused(npy("'>f8'", '(1,)', new Float64Array(1)))).toThrow('little-endian');
    expect(refused(npy("'<f8'", '(1, 1, 1)', new Float64Array(1)))).toThrow('rank 3');
    for (const shape of ['(-3,)', '(3, -1)', '(1.5,)', '(1e400,)', '(9007199254740993,)', '(None,)', '(1,,)'])
      expect(refused(npy("'<f8'", shape, new Float64Array(3)))).toThrow(
        `whole numbers that are not negative, got ${shape.replace(/,\)$/, ',)')}`,
      );
    expect(refused(npy("'<f8'", '(0, 4000000000)', new Float64Array(1)))).toThrow('4000000000 columns');
    expect(refused(npy("'<f8'", '()', new Float64Array(1)))).toThrow('rank 0');
    const arrays = "[('x', '<f8', (2,)), ('y', '<f8')]";
    expect(refused(npy(arrays, '(1,)', new Float64Array(3)))).toThrow('wanted a name and a type of numbers');
    expect(refused(npy("[('x', '<f8'), ('x', '<f8')]", '(1,)', new Float64Array(2)))).toThrow(
      'two columns are named "x"',
    );
    expect(refused(npy("'<f8'", '(9,)', new Float64Array(1)))).toThrow('wanted 72 bytes of elements, got 8');
  });

  it('is a table of a document', async () => {
    const bytes = npy("'<f4'", '(2,)', Float32Array.of(0.5, 2));
    const { tables, problems } = await readTables({ t: { file: 'a.npy' } }, () => Promise.resolve(bytes));
    expect(problems).toEqual([]);
    expect(tables.get('t')?.rows).toBe(2);
  });
});
