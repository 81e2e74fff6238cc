import { COMMON_OPTIONS, type Command, type Option } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';

type Script = (commands: readonly Command[]) => string;

const namesOf = (commands: readonly Command[]): string[] =>
  commands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
const optionsOf = ({ options }: Command): [string, Option][] => Object.entries({ ...options, ...COMMON_OPTIONS });
/** Values that name a file; others are the caller's to know. */
const isFile = (value: string): boolean => value === 'PATH' || value === 'FILE';
const quoted = (text: string): string => text.replaceAll("'", "'\\''");

const bash: Script = (commands) => `_clearframe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${namesOf(commands).join(' ')}' -- "$word"))
    return
  fi
  case "$command $before" in
${commands
  .flatMap((command) =>
    optionsOf(command).flatMap(([name, { choices }]) =>
      choices
        ? [`    '${command.name} --${name}') COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`]
        : [],
    ),
  )
  .join('\n')}
  esac
  [[ $word == -* ]] || return
  case "$command" in
${commands
  .map(
    (command) =>
      `    ${[command.name, ...(command.aliases ?? [])].join('|')}) COMPREPLY=($(compgen -W '${optionsOf(command)
        .map(([name]) => `--${name}`)
        .join(' ')}' -- "$word")) ;;`,
  )
  .join('\n')}
  esac
}
complete -o default -F _clearframe clearframe
`;

const zsh: Script = (commands) => `#compdef clearframe
_clearframe() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      '${name}:${quoted(summary)}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands
  .map((command) => {
    const specs = optionsOf(command).map(([name, { short, help, value, choices }]) => {
      const label = value?.replace(/\W.*/, '');
      const values = choices ? `(${choices.join(' ')})` : value && isFile(value) ? '_files' : ' ';
      const spec = `[${quoted(help).replace(/[[\]:]/g, '\\$&')}]${label ? `:${label}:${values}` : ''}'`;
      return short ? `'(-${short} --${name})'{-${short},--${name}}'${spec}` : `'--${name}${spec}`;
    });
    return `    ${[command.name, ...(command.aliases ?? [])].join('|')}) _arguments ${specs.join(' ')} '*:file:_files' ;;`;
  })
  .join('\n')}
  esac
}
# Read by the first completion where it is a file in fpath.
if [[ $funcstack[1] == _clearframe ]]; then
  _clearframe "$@"
else
  compdef _clearframe clearframe
fi
`;

const fish: Script = (commands) =>
  [
    ...commands.map(
      ({ name, summary }) =>
        `complete -c clearframe -f -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", "\\'")}'`,
    ),
    ...commands.flatMap((command) =>
      optionsOf(command).map(([name, { short, help, value, choices }]) =>
        [
          `complete -c clearframe -n '__fish_seen_subcommand_from ${command.name}' -l ${name}`,
          ...(short ? [`-s ${short}`] : []),
          ...(choices ? [`-x -a '${choices.join(' ')}'`] : value ? [isFile(value) ? '-r' : '-x'] : []),
          `-d '${help.replaceAll("'", "\\'")}'`,
        ].join(' '),
      ),
    ),
    '',
  ].join('\n');

const SCRIPTS: Readonly<Record<string, Script>> = { bash, zsh, fish };

/** @param commands all of the command line, read when the script is printed */
export const completionCommand = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  usage: 'bash|zsh|fish',
  summary: 'print a completion script for a shell',
  examples: [
    'source <(clearframe completion bash)   # in ~/.bashrc',
    'source <(clearframe completion zsh)    # in ~/.zshrc',
    'clearframe completion fish > ~/.config/fish/completions/clearframe.fish',
  ],
  options: {},
  async run({ positionals: [shell = ''], print }) {
    const script = SCRIPTS[shell];
    if (!script) throw new UsageError(`Name a shell: ${Object.keys(SCRIPTS).join(', ')}.`);
    print(script(commands()).trimEnd());
    return EXIT.ok;
  },
});
