/** How a kernel reports a fault: it fills the fault block of its thread and returns. */
import { faultCodes, faultWords, status, type FaultKind } from './fault.ts';
import type { Kernel } from './kernel.ts';
import { get, i32, type Expression, type Local } from './wasm/expression.ts';

export function emitFault(k: Kernel, kind: FaultKind, element: Local, detail: Expression, limit: Expression): void {
  const write = (word: keyof typeof faultWords, value: Expression) =>
    k.f.store('i32.store', get(k.own), value, 4 * faultWords[word]);
  write('kernel', i32(k.index));
  write('element', get(element));
  write('code', i32(faultCodes[kind]));
  write('detail', detail);
  write('limit', limit);
  k.f.return(i32(status.faulted));
}
