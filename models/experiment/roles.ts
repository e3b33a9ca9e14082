/** What a column of an experiment's table is for, and how people name it, in English and in German. */
export const columnRoles = [
  'x',
  'y',
  'sigma',
  'repeats',
  'weight',
  'group',
  'dose',
  'condition',
  'control',
  'trials',
  'limit',
  'censored',
  'event',
  'exclude',
  'keep',
  'ignore',
] as const;
/** `keep`: in the table, and not in the model; `ignore`: not in the table either. */
export type ColumnRole = (typeof columnRoles)[number];

/**
 * What several columns of y are: readings of one signal, one curve each, for each name a curve whose readings they are, or
 * total and nonspecific binding, which share all but the specific part.
 */
export const togethers = ['replicates', 'groups', 'names', 'specific'] as const;
export type Together = (typeof togethers)[number];

/** How readings scatter about their curve: by as much everywhere, in proportion to it, or as counts do. */
export const noises = ['constant', 'proportional', 'counts'] as const;
export type Noise = (typeof noises)[number];

/** Labels of rows that no dose was given in, and what they set. */
export interface Controls {
  /** The column that has the labels. */
  readonly column: number;
  readonly full: readonly string[];
  readonly zero: readonly string[];
}

export interface Roles {
  /** By the column's place. */
  readonly columns: readonly ColumnRole[];
  readonly together: Together;
  readonly controls: Controls | undefined;
  /** How readings scatter, where that is said. */
  readonly noise?: Noise | undefined;
}

/** Those that one column has at most. */
export const singleRoles: ReadonlySet<ColumnRole> = new Set([
  ...([
    'x',
    'repeats',
    'weight',
    'dose',
    'condition',
    'control',
    'trials',
    'limit',
    'censored',
    'event',
    'exclude',
  ] as const),
]);

/** One of them as a word of its own; digits may follow it (`OD600`), but no single letter (`s1` is no time in s). */
function words(...alternatives: readonly string[]): RegExp {
  const short = alternatives.filter((each) => each.length === 1);
  const long = alternatives.filter((each) => each.length > 1);
  const alone = short.length > 0 ? `|(?:${short.join('|')})(?![\\p{L}\\p{N}])` : '';
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:(?:${long.join('|')})(?!\\p{L})${alone})`, 'iu');
}

export const errorName = words(
  ...['σ', 'sigma', 's\\.?d\\.?', 'std\\p{L}*', 'stdev', 's\\.?e\\.?m?\\.?', 'err(?:or)?s?', 'unc(?:ertainty)?'],
  ...['standard (?:deviation|error)', '(?:mess|standard)?fehler', 'standardabweichung', 'stabw', 'unsicherheit'],
);
/** Of single readings, and not of their mean: with how many there are, that of the mean is found. */
export const deviationName = words(
  's\\.?d\\.?',
  'std\\p{L}*',
  'stdev',
  'standard deviation',
  'standardabweichung',
  'stabw',
);
/** Of how many readings something is the mean. */
export const repeatsName = /^(?:n|n[ _]?(?:reps?|obs)|reps|replicates|wiederholungen|anzahl)$/iu;
/** Signs, and letters that stand before a name: `e_flux`, `dy`. */
export const errorSign = /±|\+\/-|^(?:e_|d(?=[xy]$))/u;
/** The error of what the rest of the name names; where nothing is called so it is a difference, or a strain that lacks a gene (`ΔrecA`). `dN` beside `N` too. */
export const errorOf = /^(?:[δΔ]\s*|[dsu](?=\p{Lu}))(?<name>.+)$/u;
export const weightName = /^(?:w|weights|statistical weight|gewichte|gewichtung)$/iu;
/** Of a body, or of a square: the latter beside what is plainly called what was read. */
export const eitherWeightName = /^(?:weight|gewicht|wt)$/iu;
export const plainlyRead = /^(?:y|signal|response|observed|measured|messwert|antwort)$/iu;
export const groupName = words(
  ...['subject', 'patient', 'animal', 'id', 'group', 'series', 'set', 'plate', 'run', 'batch', 'site', 'plot', 'tree'],
  ...['chick', 'species', 'treatment', 'arm', 'cohort', 'compound', 'cmpd', 'drug', 'sample', 'strain', 'line'],
  ...['cell', 'type', 'variety', 'genotype', 'diet', 'seed', 'plant', 'state', 'replicate', 'rep', 'donor', 'mouse'],
  ...['rat', 'proband', 'tier', 'gruppe', 'serie', 'probe', 'platte', 'substanz', 'verbindung', 'stamm', 'sorte'],
);
/** Columns that tell readings of one curve apart. */
export const replicateName = words(
  'replicate',
  'replikat',
  'rep',
  'wdh',
  'well',
  'plate',
  'platte',
  'measurement',
  'messung',
  'index',
);
/** What says how good a reading is, and not what it is of. */
export const qualityName = words('flags?', 'quality', 'qc', 'qa', 'valid', 'ok', 'qualität', 'gültig');
/** What tells when or by whom readings were taken, and is no factor of its own. */
export const occasionName = words(
  ...[
    'batch',
    'lot',
    'charge',
    'run',
    'lauf',
    'operator',
    'day',
    'tag',
    'date',
    'datum',
    'experiment',
    'exp',
    'versuch',
  ],
  ...['passage', 'session', 'block', 'lab', 'instrument', 'plates?'],
);
/** Stems of numbered columns that are a curve each. */
export const groupStem =
  /^(?:subject|subj|patient|pat|animal|mouse|rat|rabbit|dog|monkey|donor|tree|plant|proband|tier|compound|cmpd|cmp|drug|strain|mutant|clone|patientin|batch|lot|charge)s?$/iu;
export const excludeName = words(
  ...['exclu(?:ded?|sion)', 'outliers?', 'omit(?:ted)?', 'drop(?:ped)?', 'reject(?:ed)?', 'discard(?:ed)?', 'ignored?'],
  ...['ausreißer', 'ausreisser', 'ausgeschlossen', 'ausschlu(?:ss|ß)', 'ausschlie(?:ss|ß)en', 'verworfen'],
  ...['gestrichen', 'ignorier(?:t|en)', 'weglassen'],
);
/** Of words about a row, which nobody reads off an instrument. */
export const remarkName = words(
  'notes?',
  'comments?',
  'remarks?',
  'bemerkung(?:en)?',
  'kommentare?',
  'anmerkung(?:en)?',
);
export const censoredName = words('censored', 'censoring', 'cens', 'blo?q', 'l?loq', 'lod', 'below', 'zensiert');
/** Limits of quantification and detection, as numbers. */
export const limitName = words('l?loq', 'lod', 'limit', 'bestimmungsgrenze', 'nachweisgrenze', 'cutoff');
/** Flags of what lies below a limit, where others lie above one. */
export const belowName = words('blo?q', 'l?loq', 'lod', 'below', 'left', 'unter', '<');
/** Of a time, whether it ended with what was waited for: 1 (or the larger of two) says yes. */
export const eventName = words(
  ...['status', 'events?', 'death', 'dead', 'died', 'deceased', 'failed', 'failure', 'relapsed?', 'fustat', 'ereignis'],
  ...['tod', 'ausfall', 'progressed'],
);
export const lifetimeName = words(
  ...[
    'time',
    'times',
    'futime',
    'stime',
    'survival',
    'days?',
    'weeks?',
    'months?',
    'years?',
    'hours?',
    't',
    'lifetime',
  ],
  ...['duration', 'cycles', 'zeit', 'dauer', 'lebensdauer', 'überlebenszeit', 'tage', 'wochen', 'monate', 'jahre'],
);
/** How many were tried, and how many of them answered. */
export const trialsName = words(
  ...['n', 'total', 'tot', 'trials', 'tested', 'exposed', 'number', 'num', 'anzahl', 'gesamt', 'size', 'batch ?size'],
);
export const successesName = words(
  ...['dead', 'died', 'deaths', 'killed', 'kills', 'responders?', 'responded', 'affected', 'positives?', 'events?'],
  ...['germinated', 'success(?:es)?', 'cases', 'failures?', 'failed', 'infected', 'immobile', 'tumou?rs?', 'y', 'r'],
  ...['menarche', 'yes', 'hits', 'tot[e]?', 'gekeimt', 'mortality', 'budworm', 'alive', 'survived', 'hatched', 'float'],
);
/** Whole numbers under such a name, or in such a unit, were counted one by one. */
export const countName = words(
  ...['counts?', 'cts', 'cases', 'events?', 'number', 'num', 'n', 'hits', 'births', 'deaths', 'arrivals', 'clicks'],
  ...['colon(?:y|ies)', 'plaques?', 'photons?', 'spikes', 'accidents', 'insects', 'breaks', 'offspring', 'eggs'],
  ...['seedlings', 'larvae', 'nests', 'mites', 'parasites', 'worms', 'fledglings', 'sightings', 'keimlinge', 'larven'],
  ...['pulses', 'decays', 'particles', 'neutrons', 'count ?rate'],
  ...['anzahl', 'zahl', 'zählung', 'impulse', 'ereignisse', 'fälle', 'kolonien', 'zähler', 'geburten', 'todesfälle'],
  ...['zählraten?', 'zählwerte?', 'photonen', 'zerfälle', 'teilchen', 'partikel', 'neutronen', 'treffer', 'klicks'],
  '(?:photonen|impuls|ereignis|zerfalls|teilchen|partikel|kolonie|keim|fall|zell)(?:an)?zahl(?:en)?',
);
export const controlName = words('controls?', 'ctrl', 'well ?type', 'sample ?type', 'kontrollen?', 'probentyp');
/** `log[Agonist]`, `log conc`, `log10 dose (M)`, `ln(c)`: what was set, on a log scale. */
export const logDoseName =
  /^(?:log|ln|lg|log10)[\s_]*(?:10)?[\s_]*(?:[[(].+[\])]|\(?\[?(?:conc|konz|dose|dosis|agonist|ligand|drug|inhib|c\b|m\b|competitor|antagonist))/iu;
export const doseName = words('dose', 'dosis', 'amt', 'amount', 'menge');
export const conditionName = words(
  ...['inhibitor', 'inhib', 'condition', 'bedingung', 'antagonist', 'inhibitorkonzentration', 'I'],
);

export const timeName = words(
  ...['t', 'time', 'times', 'zeit', 'zeitpunkt', 'days?', 'tage?', 'date', 'datum', 'hours?', 'stunden?', 'h', 'min'],
  ...['minutes?', 'minuten?', 'sec', 'seconds?', 's', 'sekunden?', 'year', 'years', 'jahr', 'age', 'alter', 'weeks?'],
  ...['woche', 'months?', 'clock', 'uhrzeit', 'elapsed', 'timestamp', 'zeitstempel'],
);
export const abscissaName = words(
  ...['x', 'dose', 'dosis', 'conc\\p{L}*', 'konz\\p{L}*', 'c', 'substrate?', 'substrat', 'ligand', 'temp\\p{L}*'],
  ...['wavelength', 'wellenlänge', 'lambda', 'energy', 'energie', 'frequency', 'frequenz', 'f', 'angle', 'winkel'],
  ...['theta', '2theta', 'distance', 'abstand', 'dist', 'depth', 'tiefe', 'channel', 'kanal', 'voltage', 'spannung'],
  ...['v', 'u', 'position', 'field', 'ph', 'pressure', 'druck', 'p', 'strain', 'dehnung', 'n', 'index', 'raman shift'],
  ...['m\\/z', 'wavenumber', 'wellenzahl', 'speed', 'nitrogen', 'added', 'zugabe', 'velocity', 'height', 'inhibitor'],
  ...[
    'urea',
    'denaturant',
    'p\\/p0',
    'girth',
    'diameter',
    'durchmesser',
    'radius',
    'zt',
    'pO2',
    'gdmhcl',
    'width',
    'bp',
  ],
);
/** Binding with and without what displaces the specific part. */
export const totalName = words('total', 'gesamt', 'total ?bound', 'gesamtbindung');
export const nonspecificName = words(
  ...['non[ -]?specific', 'unspecific', 'nsb', 'unspezifische?', 'nicht[ -]?spezifische?', 'nonspec'],
);
/** The concentration of what stands in it, as it was set: `[I]`. */
export const speciesName = /^\[[^\]]+\]$/u;
/** What was read over a reading of the same without anything: `v_i/v_0`, `F/F0`. A relative pressure is set. */
export const relativeName =
  /^(?!p\s*\/)Δ?(?<of>\p{L}+?)(?:_?(?:i|\p{N}+)|_\p{L}+|\(\p{L}+\))?\s*\/\s*\k<of>_?(?:0|o|max|ref|eq|inf|ctrl|control|kontrolle)$/iu;
export const observedName = words(
  ...['y', 'response', 'antwort', 'signal', 'absorbance', 'absorption', 'extinktion', 'od', 'density', 'activity'],
  ...['aktivität', 'rate', 'geschwindigkeit', 'intensity', 'intensität', 'counts?', 'fluorescence', 'fluoreszenz'],
  ...['weight', 'length', 'size', 'yield', 'ertrag', 'effect', 'mean', 'mittelwert', 'inhibition', 'percent', 'bound'],
  ...['gebunden', 'uptake', 'demand', 'product', 'produkt', 'current', 'strom', 'mass', 'masse', 'value', 'messwert'],
  ...[
    'viability',
    'survival',
    'volume',
    'volumen',
    'growth',
    'cells',
    'cfu',
    'log',
    'area',
    'fläche',
    'adsorbed',
    'q',
    'circumference',
  ],
);

/** Labels of wells and samples that set 100 % or 0 %. */
export const fullLabel =
  /^(?:dmso|vehicle|untreated|unbehandelt|pos(?:itive)?(?: control)?|100 ?%|max(?:imum)?|full|total|no (?:drug|inhibitor)|lösungsmittel)$/iu;
export const zeroLabel =
  /^(?:no (?:enzyme|cells)|blank|background|neg(?:ative)?(?: control)?|0 ?%|min(?:imum)?|empty|nsb|leer(?:wert)?|blind(?:wert)?|ohne enzym)$/iu;

/** Of a row below the others, which it sums up. */
export const saysSummary =
  /^(?:(?:grand )?total|sum|summe|gesamt|insgesamt|mean|average|avg\.?|mittel(?:wert)?|durchschnitt|median|s\.?d\.?|stdev|stabw|sem)$/iu;
/** Cells of a flag that say no. */
export const saysNo = /^(?:|0|no|n|false|f|nein|falsch|ok|-|included?|keep|none)$/iu;
