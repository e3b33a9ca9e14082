// Runs before the first paint, so that a dark window never flashes white. state/window/remembered.ts keeps what was chosen.
let chosen = null;
try {
  chosen = localStorage.getItem('cotangent.theme');
} catch {
  // A browser may deny storage: the system's theme it is.
}
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.dataset.theme = dark ? 'dark' : 'light';
