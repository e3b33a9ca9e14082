/**
 * The engine's worker, made to die when it is told: between any two looks at whether it is to stop, so in the middle of what it
 * computes, or while it waits for work.
 */
import { workerData } from 'node:worker_threads';

const { doom, bundle } = workerData;
const look = Atomics.load;

const deaths = [
  () => process.exit(7),
  () =>
    setImmediate(() => {
      throw new Error('a fault of the test');
    }),
  () => {
    for (const all = []; ;) all.push(new Array(100_000).fill(all.length));
  },
];

function perish() {
  const death = Atomics.exchange(doom, 0, 0);
  if (death > 0) deaths[death - 1]();
}

Atomics.load = (words, at) => {
  if (look(doom, 0) !== 0) perish();
  return look(words, at);
};
setInterval(perish, 5).unref();

await import(bundle);
