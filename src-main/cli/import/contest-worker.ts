/** The thread of `import`: the contest of the shapes, while the one that started it hears Ctrl-C. */
import { parentPort, workerData } from 'node:worker_threads';
import { fight, type ContestJob, type FromContest } from './contest-job.ts';

if (!parentPort) throw new Error('contest-worker.ts runs as a worker thread');
const parent = parentPort;
const post = (message: FromContest): void => parent.postMessage(message);
const contestants = await fight(workerData as ContestJob, (share) => post({ type: 'progress', share }));
post({ type: 'done', contestants });
