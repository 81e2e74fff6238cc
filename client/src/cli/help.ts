import { COMMON_OPTIONS, type Command, type Option } from './command.ts';

const EXIT_CODES = `Exit codes: 0 all done; 1 some pictures failed; 2 wrong call; 3 the key was refused; 4 a limit of the plan or of requests;
            5 Clearframe can't be reached; 130 interrupted`;

export const helpOf = (commands: readonly Command[]): string =>
  `Restores photos and videos.

Usage: clearframe COMMAND [options]

Commands:
${table(commands.map(({ name, summary }) => [name, summary]))}

Options:
${optionsTable(COMMON_OPTIONS)}
${table([['    --version', 'show the version']])}

Start:
  clearframe login
  clearframe enhance photo.jpg -o better.png

The key comes from --key, CLEARFRAME_API_KEY or \`clearframe login\`, the address from --url, CLEARFRAME_URL or the login.
\`clearframe COMMAND --help\` shows the options of a command.

${EXIT_CODES}`;

export const helpOfCommand = ({ name, usage, summary, details, examples = [], options }: Command): string =>
  [
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    `Usage: clearframe ${name} ${usage}`.trimEnd(),
    ...(details ? [details] : []),
    ...(examples.length > 0 ? [`Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`] : []),
    `Options:\n${optionsTable({ ...options, ...COMMON_OPTIONS })}`,
    EXIT_CODES,
  ].join('\n\n');

const optionsTable = (options: Readonly<Record<string, Option>>): string =>
  table(
    Object.entries(options).map(([name, { short, value, help }]) => [
      `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
      help,
    ]),
  );

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length), 26);
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n');
}
