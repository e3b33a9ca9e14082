/** The manual page, in the macros of man(7). */
import type { DescribedCommand } from './described.ts';

/** A line that begins with a dot or a quote would be a macro; hyphens stay hyphens, so that options can be copied. */
const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('’', '\\(cq')
    .replace(/^(?=[.'])/gm, '\\&');

const statuses: readonly (readonly [status: string, meaning: string])[] = [
  ['0', 'done'],
  ['1', 'an internal fault'],
  ['2', 'refused: one sentence on standard error says what and where'],
  ['3', 'not converged, or failed; the result is printed'],
  ['130', 'stopped; the best point so far is printed'],
];

const variables: readonly (readonly [name: string, meaning: string])[] = [
  ['COTANGENT_DEVICE', 'what the app computes on: auto, cpu, webgpu or reference'],
  ['COTANGENT_THREADS', 'threads of the CPU, 1 to 16'],
  ['NO_COLOR', 'no colour in what is shown on a terminal'],
  ['ELECTRON_DIST', 'a folder with the Electron that opens the window'],
];

function section({ path, takes, description, options }: DescribedCommand): string[] {
  return [
    `.SS ${escaped(`cotangent ${path} ${takes}`.trim())}`,
    `${escaped(description)}.`,
    ...options.flatMap((option) => ['.TP', `.B ${escaped(option.usage)}`, escaped(optionText(option))]),
  ];
}

const optionText = ({ description, choices }: DescribedCommand['options'][number]): string =>
  choices.length > 0 ? `${description}: ${choices.join(', ')}` : description;

const list = (entries: readonly (readonly [string, string])[]): string[] =>
  entries.flatMap(([name, meaning]) => ['.TP', `.B ${escaped(name)}`, escaped(meaning)]);

export function manualPage(version: string, [program, ...commands]: readonly DescribedCommand[]): string {
  return [
    `.TH COTANGENT 1 "" "Cotangent ${version}"`,
    '.SH NAME',
    'cotangent \\- gradient\\-based scientific modelling',
    '.SH SYNOPSIS',
    '.B cotangent\n[command] [model] [options]',
    '.SH DESCRIPTION',
    escaped(program?.description ?? ''),
    escaped(
      'A model is one readable file, NAME.cot.json. Without a command the window opens, on the model where one is named.',
    ),
    '.SH COMMANDS',
    ...commands.filter((command) => command.commands.length === 0).flatMap(section),
    '.SH EXIT STATUS',
    ...list(statuses),
    '.SH ENVIRONMENT',
    ...list(variables),
    '',
  ].join('\n');
}
