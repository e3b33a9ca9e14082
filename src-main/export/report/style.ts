import { fontFamily, plotStyle, plotTokens } from '../plots/style.ts';

/** How a report looks, light or dark as the reader's system is, and on paper; its plots as the window draws them. */
export const reportStyle = `${plotTokens}${plotStyle}
:root { color-scheme: light dark; --dim: var(--ink-2); --line: var(--line-2); --paper: var(--panel); --mark: var(--curve); --dot: var(--data); --minus: var(--neg); --plus: var(--pos); }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 10pt; } section, tr { break-inside: avoid-page; } h2 { break-after: avoid; } .wide { overflow: visible; } }
* { print-color-adjust: exact; }
body { margin: 0 auto; padding: 2.5rem 1.5rem 4rem; max-width: 60rem; background: var(--paper); color: var(--ink); font: 15px/1.5 ${fontFamily}; }
h1 { margin: 0; font-size: 1.7rem; line-height: 1.25; }
h2 { margin: 2.2rem 0 .6rem; font-size: 1.1rem; }
h3 { margin: 1.2rem 0 .4rem; font-size: .95rem; }
header p, figcaption, caption { color: var(--dim); font-size: .87rem; }
caption { padding-bottom: .3rem; text-align: left; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; }
th { color: var(--dim); font-weight: 500; }
th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1rem 0; break-inside: avoid; }
svg { display: block; max-width: 40rem; width: 100%; font: 11px ${fontFamily}; fill: var(--dim); }
svg .grid line { stroke: var(--line); }
svg polyline { fill: none; stroke: var(--mark); stroke-width: 1.75; }
svg polyline.faint { stroke: var(--dim); stroke-width: 1; stroke-dasharray: 4 3; }
svg circle { fill: var(--paper); stroke: var(--dot); stroke-width: 1.25; }
svg .minus { fill: var(--minus); }
svg .plus { fill: var(--plus); }
svg.matrix rect { stroke: var(--line); }
svg.matrix text, svg.model .id { fill: var(--ink); }
svg.matrix text.over { fill: var(--paper); }
svg.model { max-width: 100%; }
svg.model rect { fill: var(--paper); stroke: var(--dim); }
svg.model path { fill: none; stroke: var(--mark); stroke-width: 1.25; }
`;
