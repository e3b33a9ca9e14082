/** How far a run has come, on one line of a terminal: nowhere else, and in no file that standard error is led to. */

export interface ProgressLine {
  /** `share` from 0 to 1 draws a bar. */
  show(text: string, share?: number): void;
  /** Takes the line away. */
  end(): void;
}

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

const barWidth = 20;
const usualColumns = 80;

/** NO_COLOR (no-color.org), whatever it is set to but ''. */
export function hasColour(env: NodeJS.ProcessEnv): boolean {
  return (env['NO_COLOR'] ?? '') === '';
}

export function bar(share: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * barWidth);
  return '█'.repeat(full) + '░'.repeat(barWidth - full);
}

/** A terminal that cannot go back to the start of its line (TERM=dumb) is shown nothing. */
export function progressLine(terminal: Terminal = process.stderr, env: NodeJS.ProcessEnv = process.env): ProgressLine {
  const shown = terminal.isTTY && env['TERM'] !== 'dumb';
  const wipe = '\r\x1b[K';
  return {
    show(text, share) {
      if (!shown) return;
      const drawn = share === undefined ? '' : `${bar(share)} `;
      // A line that is wrapped cannot be taken back.
      const room = Math.max(0, (terminal.columns || usualColumns) - 1 - drawn.length);
      const coloured = drawn !== '' && hasColour(env) ? `\x1b[36m${drawn}\x1b[39m` : drawn;
      terminal.write(`${wipe}${coloured}${text.slice(0, room)}`);
    },
    end() {
      if (shown) terminal.write(wipe);
    },
  };
}
