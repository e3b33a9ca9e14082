/** The window draws no more often than this. */
const progressMilliseconds = 30;

/** At most every 30 ms. */
export function paced<T>(send: (progress: T) => void): (progress: T) => void {
  let sentAt = -Infinity;
  return (progress) => {
    const now = performance.now();
    if (now - sentAt < progressMilliseconds) return;
    sentAt = now;
    send(progress);
  };
}
