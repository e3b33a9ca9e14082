/** What a shell reads to complete commands, options and their values; whatever else is a file. */
import type { DescribedCommand } from './described.ts';

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof shells)[number];

type Writer = (commands: readonly DescribedCommand[]) => string;

/** Words that need no quotes: commands, flags and choices are of letters, digits and hyphens. */
const words = (list: readonly string[]): string => list.join(' ');
const flags = ({ options }: DescribedCommand): string => words(options.map(({ flag }) => flag));
const below = (commands: readonly DescribedCommand[], path: string): DescribedCommand | undefined =>
  commands.find((command) => command.path === path);

/** What may stand in place of a file: commands below, or choices of the first argument. */
const offers = ({ commands, choices }: DescribedCommand): string => words([...commands, ...choices]);

const bash: Writer = (commands) => {
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(
        ({ flag, choices }) =>
          `    "${path} ${flag}") COMPREPLY=($(compgen -W "${words(choices)}" -- "$word")); return ;;`,
      ),
  );
  const named = commands.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);
  const cases = (of: (command: DescribedCommand) => string): string[] =>
    commands.flatMap((command) => (of(command) === '' ? [] : [`    "${command.path}") offered="${of(command)}" ;;`]));
  return [
    '_cotangent() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" offered="" each longer',
    '  for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    longer="${command:+$command }$each"',
    `    case "$longer" in ${named.join('|')}) command="$longer" ;; esac`,
    '  done',
    '  case "$command $before" in',
    ...values,
    '  esac',
    '  if [[ "$word" == -* ]]; then case "$command" in',
    ...cases(flags),
    '  esac; else case "$command" in',
    ...cases(offers),
    '  esac; fi',
    '  if [[ -n "$offered" ]]; then COMPREPLY=($(compgen -W "$offered" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi',
    '}',
    'complete -o filenames -F _cotangent cotangent',
    '',
  ].join('\n');
};

/** zsh runs what is written for bash. */
const zsh: Writer = (commands) =>
  `#compdef cotangent\nautoload -U +X compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n${bash(commands)}`;

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

const fish: Writer = (commands) => {
  const lines = commands.flatMap((command) => {
    const { path, options, choices } = command;
    const parts = path === '' ? [] : path.split(' ');
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    const others = words(command.commands);
    const here = path === '' ? '__fish_use_subcommand' : seen;
    const start = `complete -c cotangent -n ${quoted(here)}`;
    const first = others === '' || path === '' ? here : `${seen}; and not __fish_seen_subcommand_from ${others}`;
    return [
      ...command.commands.map((name) => {
        const { description = '' } = below(commands, path === '' ? name : `${path} ${name}`) ?? {};
        return `complete -c cotangent -n ${quoted(first)} -f -a ${name} -d ${quoted(description)}`;
      }),
      ...(choices.length > 0 ? [`${start} -f -a ${quoted(words(choices))}`] : []),
      ...options.map(({ flag, description, takesValue, choices: values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(words(values))}` : takesValue ? ' -r' : '';
        return `${start} -l ${flag.replace(/^--/, '')}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
};

const powershell: Writer = (commands) => {
  const table = (of: (command: DescribedCommand) => string): string =>
    commands.map((command) => `    '${command.path}' = '${of(command)}'`).join('\n');
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    '${path} ${flag}' = '${words(choices)}'`),
  );
  return `Register-ArgumentCompleter -Native -CommandName cotangent -ScriptBlock {
  param($word, $ast, $position)
  $flags = @{
${table(flags)}
  }
  $offers = @{
${table(offers)}
  }
  $values = @{
${values.join('\n')}
  }
  $given = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $command = ''
  foreach ($each in $given) {
    $longer = "$command $each".Trim()
    if ($flags.ContainsKey($longer)) { $command = $longer }
  }
  $before = if ($given.Count -gt 0) { $given[-1] } else { '' }
  $offered = $values["$command $before"]
  if (-not $offered) { $offered = if ($word -like '-*') { $flags[$command] } else { $offers[$command] } }
  "$offered".Split(' ') | Where-Object { $_ -and $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
};

const writers: Readonly<Record<Shell, Writer>> = { bash, zsh, fish, powershell };

export function completionFor(shell: Shell, commands: readonly DescribedCommand[]): string {
  return writers[shell](commands);
}
