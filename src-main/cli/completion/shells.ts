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

/** Options that want ids of the document's blocks, as `PATH FLAG`, by what follows an id. */
const wantingIds = (commands: readonly DescribedCommand[], after: '' | '='): string[] =>
  commands.flatMap(({ path, options }) =>
    options.filter(({ afterId }) => afterId === after).map(({ flag }) => `${path} ${flag}`),
  );

/**
 * What bash and zsh both read, `before` being the word in front and `given` those so far: `offered` is what can stand here,
 * and where an option wants ids, `ids` is those of the document.
 */
function found(commands: readonly DescribedCommand[], given: string): string[] {
  const any = (list: readonly string[]): string => list.map((each) => `"${each}"`).join('|');
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    "${path} ${flag}") offered="${words(choices)}" ;;`),
  );
  const cases = (of: (command: DescribedCommand) => string): string[] =>
    commands.flatMap((command) => (of(command) === '' ? [] : [`      "${command.path}") offered="${of(command)}" ;;`]));
  const ids = (['', '='] as const).map(
    (after) =>
      `    ${any(wantingIds(commands, after))}) after="${after}" ids="$("$program" ids -- ${given} 2>/dev/null)" ;;`,
  );
  return [
    '  local command="" offered="" after="" ids="none" each longer',
    `  for each in ${given}; do`,
    '    longer="${command:+$command }$each"',
    `    case "$longer" in ${any(commands.map(({ path }) => path).filter(Boolean))}) command="$longer" ;; esac`,
    '  done',
    '  case "$command $before" in',
    ...values,
    ...ids,
    '    *) if [[ "$word" == -* ]]; then case "$command" in',
    ...cases(flags),
    '    esac; else case "$command" in',
    ...cases(offers),
    '    esac; fi ;;',
    '  esac',
  ];
}

/** Files are readline's own business, which knows blanks, quotes and `~`: it completes them where nothing is offered. */
const bash: Writer = (commands) =>
  [
    '_cotangent() {',
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" program="${COMP_WORDS[0]}"',
    ...found(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"'),
    '  COMPREPLY=($(compgen -W "$offered" -- "$word"))',
    '  [[ "$ids" == none ]] && return',
    '  # The bash of macOS has no compopt.',
    '  compopt +o default ${after:+-o nospace} 2>/dev/null',
    '  for each in $ids; do',
    '    [[ "$each" == "${word##*,}"* ]] && COMPREPLY+=("${word%"${word##*,}"}$each$after")',
    '  done',
    '}',
    'complete -o default -F _cotangent cotangent',
    '',
  ].join('\n');

/** Read by eval it registers itself; found by zsh on its path it is the function. */
const zsh: Writer = (commands) =>
  [
    '#compdef cotangent',
    '_cotangent() {',
    '  local word="$words[CURRENT]" before="$words[CURRENT-1]" program="$words[1]"',
    ...found(commands, '"${(@)words[2,CURRENT-1]}"'),
    '  if [[ "$ids" != none ]]; then',
    "    compset -P '*,'",
    '    compadd -S "${after:- }" -- ${=ids}',
    '    return',
    '  fi',
    '  compadd -- ${=offered} || _files',
    '}',
    'if [[ "$funcstack[1]" == _cotangent ]]; then _cotangent "$@"; else',
    '  (( $+functions[compdef] )) || { autoload -U compinit; compinit }',
    '  compdef _cotangent cotangent',
    'fi',
    '',
  ].join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

/** Of a list the last id is completed. */
const fishIds = `function __cotangent_ids
  set -l given (commandline -opc)
  for id in ($given[1] ids -- $given[2..] 2>/dev/null)
    echo (string replace -r '[^,]*$' '' -- (commandline -ct))"$id$argv"
  end
end
`;

const fish: Writer = (commands) => {
  const lines = commands.flatMap((command) => {
    const { path, options, choices } = command;
    const parts = path === '' ? [] : path.split(' ');
    const seen = parts.map((part) => `__fish_seen_subcommand_from ${part}`).join('; and ');
    const others = words(command.commands);
    const here = path === '' ? '__fish_use_subcommand' : seen;
    const start = `complete -c cotangent -n ${quoted(here)}`;
    const first = others === '' || path === '' ? here : `${seen}; and not __fish_seen_subcommand_from ${others}`;
    // A model may stand in place of a command.
    const alone = path === '' ? '' : ' -f';
    return [
      ...command.commands.map((name) => {
        const { description = '' } = below(commands, path === '' ? name : `${path} ${name}`) ?? {};
        return `complete -c cotangent -n ${quoted(first)}${alone} -a ${name} -d ${quoted(description)}`;
      }),
      ...(choices.length > 0 ? [`${start} -f -a ${quoted(words(choices))}`] : []),
      ...options.map(({ flag, description, takesValue, choices: values, afterId }) => {
        const offered = afterId === undefined ? words(values) : `(__cotangent_ids ${afterId})`;
        const value = offered === '' ? (takesValue ? ' -r' : '') : ` -x -a ${quoted(offered)}`;
        return `${start} -l ${flag.replace(/^--/, '')}${value} -d ${quoted(description)}`;
      }),
    ];
  });
  return `${fishIds}${lines.join('\n')}\n`;
};

const powershell: Writer = (commands) => {
  const table = (of: (command: DescribedCommand) => string): string =>
    commands.map((command) => `    '${command.path}' = '${of(command)}'`).join('\n');
  const values = commands.flatMap(({ path, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    '${path} ${flag}' = '${words(choices)}'`),
  );
  const ids = (['', '='] as const).flatMap((after) =>
    wantingIds(commands, after).map((each) => `    '${each}' = '${after}'`),
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
  $ids = @{
${ids.join('\n')}
  }
  $given = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { "$_" })
  $command = ''
  foreach ($each in $given) {
    $longer = "$command $each".Trim()
    if ($flags.ContainsKey($longer)) { $command = $longer }
  }
  $before = if ($given.Count -gt 0) { $given[-1] } else { '' }
  $offered = $values["$command $before"]
  if ($ids.ContainsKey("$command $before")) {
    $list = $word -replace '[^,]*$', ''
    $offered = & "$($ast.CommandElements[0])" ids -- @given 2>$null | ForEach-Object { $list + $_ + $ids["$command $before"] }
  } elseif (-not $offered) { $offered = if ($word -like '-*') { $flags[$command] } else { $offers[$command] } }
  "$offered".Split(' ') | Where-Object { $_ -and $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
};

const writers: Readonly<Record<Shell, Writer>> = { bash, zsh, fish, powershell };

export function completionFor(shell: Shell, commands: readonly DescribedCommand[]): string {
  return writers[shell](commands);
}
