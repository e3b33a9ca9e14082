/** A job in the thread that asks for it, which hears no Ctrl-C meanwhile. */
import { createDevices } from '../compute/running/devices.ts';
import { createSessions } from '../compute/sessions.ts';
import type { EventName } from '../contract/contract.ts';
import { deviceOfEnvironment } from '../device-choice.ts';
import type { Job } from '../engine-process/job.ts';
import { runJob } from '../engine-process/run-job.ts';
import { places } from './places.ts';

export async function runHere(
  job: Job,
  control: Int32Array,
  hear: (event: { readonly name: EventName; readonly body: unknown }) => void,
): Promise<void> {
  const devices = createDevices();
  const bench = {
    ...{ sessions: createSessions(places.catalogue), devices, device: deviceOfEnvironment() },
    emit: (name: EventName, body: unknown) => hear({ name, body }),
  };
  try {
    await runJob(bench, job.work.kind, job, control);
  } finally {
    devices.close();
  }
}
