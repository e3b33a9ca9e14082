/** The colours and letters of plots outside the window: those of its tokens, light and dark, as one test holds. */
export const fontFamily = "'Inter Variable', Inter, system-ui, sans-serif";

const tokens = {
  light: {
    panel: '#ffffff',
    ink: '#1b1d20',
    'ink-2': '#4d5257',
    'ink-3': '#63686d',
    'line-2': '#cfcfc8',
    'line-3': '#8d8f8c',
    curve: '#1f5fd0',
    band: '#1f5fd022',
    data: '#1b1d20',
    grid: '#ecece8',
    neg: '#2f6db3',
    pos: '#b3610f',
    g1: '#1f5fd0',
    g2: '#b3610f',
    g3: '#1b1d20',
    g4: '#7a4c9c',
    real: '#2f7386',
  },
  dark: {
    panel: '#1f2226',
    ink: '#e9eaeb',
    'ink-2': '#b4bac0',
    'ink-3': '#929aa2',
    'line-2': '#40464d',
    'line-3': '#7c848c',
    curve: '#75a7ff',
    band: '#75a7ff2b',
    data: '#e9eaeb',
    grid: '#282c31',
    neg: '#6ba6e8',
    pos: '#e39a4f',
    g1: '#75a7ff',
    g2: '#e39a4f',
    g3: '#e9eaeb',
    g4: '#c39be6',
    real: '#6fb6c6',
  },
} as const;

const declared = (theme: keyof typeof tokens): string =>
  Object.entries(tokens[theme])
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ');

/** Of a page or a picture that stands alone: dark where the reader's system is, light on paper. */
export const plotTokens = `:root { ${declared('light')} }
@media screen and (prefers-color-scheme: dark) { :root { ${declared('dark')} } }`;

export const plotStyle = `
svg.plot { font: 11px ${fontFamily}; }
svg.plot text { fill: var(--ink-3); }
svg.plot .title { fill: var(--ink-2); }
svg.plot .name { fill: var(--ink); font-weight: 500; }
svg.plot .grid { stroke: var(--grid); }
svg.plot .axis { stroke: var(--line-3); }
svg.plot .curve { fill: none; stroke: var(--curve); stroke-width: 1.75; stroke-linejoin: round; }
svg.plot .population { fill: none; stroke: var(--ink-2); stroke-width: 1.1; stroke-dasharray: 6 4; }
svg.plot .edge { fill: none; stroke: var(--curve); stroke-width: .75; stroke-dasharray: 2 3; }
svg.plot .band { fill: var(--band); }
svg.plot .data { fill: var(--panel); stroke: var(--data); stroke-width: 1.25; }
svg.plot .error { stroke: var(--data); }
svg.plot .excluded { fill: none; stroke: var(--ink-3); stroke-dasharray: 2 1; }
svg.plot .predicted { fill: var(--curve); }
svg.plot .bar { fill: var(--line-2); }
svg.plot .zero { stroke: var(--line-3); }
`;
