/** What memory gives: the device's own copy of an array, by which everything else is judged. */
import type { Device } from '../../engine/index.ts';
import { writeCounts } from './paper/least-bytes.ts';
import { n, type Subject, SubjectBuilder, timeSubject } from './subject.ts';
import { realBytes } from './suite.ts';
import type { Timing } from './timing.ts';

/** The identity as a map: the kernel that the device makes of it reads each element and writes it, and nothing else. */
export function copySubject(): Subject {
  const b = new SubjectBuilder();
  const x = b.data('x', [0, 1]);
  return { program: b.finish({ y: b.elementwise([x], (_, value) => value, [n]) }), ranges: b.ranges, fixed: new Set() };
}

/** Bytes to and from memory for each element: a write counts as often as the device's caches make it. */
export function traffic(device: Device, read: number, written: number): number {
  return read + writeCounts[device.kind] * written;
}

export interface Copy extends Timing {
  /** Of traffic. */
  readonly bytesPerMillisecond: number;
}

export async function measureCopy(device: Device, length: number): Promise<Copy> {
  const subject = copySubject();
  const timing = await timeSubject(device, subject, subject.program, length);
  const bytes = length * traffic(device, realBytes(device), realBytes(device));
  return { ...timing, bytesPerMillisecond: bytes / timing.milliseconds };
}
