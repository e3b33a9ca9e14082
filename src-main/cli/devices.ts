/** `devices`: what can compute here. */
import { createDevices } from '../compute/running/devices.ts';
import { printColumns, printJson } from './output/output.ts';

export async function devices({ json }: { json: boolean }): Promise<void> {
  const found = createDevices();
  try {
    const list = await found.list();
    if (json) printJson({ devices: list });
    else
      printColumns([
        ['kind', 'name', 'usable', 'why'],
        ...list.map(({ kind, name, usable, why }) => [kind, name, usable ? 'yes' : 'no', why]),
      ]);
  } finally {
    found.close();
  }
}
