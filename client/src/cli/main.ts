#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Clearframe } from '../clearframe.ts';
import { keysCommand, loginCommand, logoutCommand } from './account.ts';
import { analyzeCommand } from './analyze.ts';
import { COMMON_OPTIONS, type Command } from './command.ts';
import { completionCommand } from './completion.ts';
import { enhanceCommand, messageOf } from './enhance.ts';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts';
import { helpOf, helpOfCommand } from './help.ts';
import { findSettings } from './settings.ts';
import { usageCommand } from './usage.ts';
import { videoCommand } from './video.ts';

/** Long enough for a restart of the service, and for the idempotency keys of a process that was killed. */
const RETRY_SECONDS = 300;

const COMMANDS: readonly Command[] = [
  enhanceCommand,
  videoCommand,
  analyzeCommand,
  usageCommand,
  keysCommand,
  loginCommand,
  logoutCommand,
  completionCommand(() => COMMANDS),
];

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

async function run([name, ...args]: readonly string[], signal: AbortSignal): Promise<number> {
  if (name === '--version') {
    print(JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).version);
    return EXIT.ok;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? complain : print)(helpOf(COMMANDS));
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const command = COMMANDS.find((each) => each.name === name || each.aliases?.includes(name));
  if (!command) throw new UsageError(`There is no command ${name}: see \`clearframe --help\`.`);
  const { values, positionals } = parse(command, args);
  if (values.help === true) {
    print(helpOfCommand(command));
    return EXIT.ok;
  }
  const { env } = process;
  const given = { key: asText(values.key), url: asText(values.url) };
  const client = async () => {
    const { key, url } = await findSettings(env, given);
    return new Clearframe({ apiKey: key, baseUrl: url, retrySeconds: RETRY_SECONDS });
  };
  return command.run({ values, positionals, env, signal, client, print });
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function parse(command: Command, args: readonly string[]) {
  try {
    const options = { ...command.options, ...COMMON_OPTIONS };
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    throw new UsageError(`${messageOf(error)} See \`clearframe ${command.name} --help\`.`);
  }
}

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error('Interrupted.')));
process.once('SIGTERM', () => interruption.abort(new Error('Ended.')));
// The reader of a pipe has gone: `clearframe … | head`.
process.stdout.on('error', () => process.exit(EXIT.failed));

try {
  process.exitCode = await run(process.argv.slice(2), interruption.signal);
} catch (error) {
  const isInterrupted = interruption.signal.aborted;
  complain(`clearframe: ${isInterrupted ? 'Interrupted: the same command continues.' : messageOf(error)}`);
  process.exitCode = isInterrupted ? EXIT.interrupted : exitCodeOf(error);
}
