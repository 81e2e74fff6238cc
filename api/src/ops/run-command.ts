import { userInfo } from 'node:os';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ConfigurationError, type Environment } from '@clearframe/runtime/config';
import { DiskFullError } from '@clearframe/runtime/storage';
import { hash } from '@node-rs/argon2';
import { DataSource } from 'typeorm';
import { AuditEntry, AuditRepository } from '../audit/audit.repository.js';
import { BackupError } from '../backups/backup-folder.js';
import { ExperimentRow } from '../experiments/experiments.repository.js';
import { GiftCode } from '../gift-codes/gift-codes.repository.js';
import { MailMessage } from '../mail/mail-message.repository.js';
import { publicUrlIn } from '../platform/config/app.config.js';
import { LimitsConfig } from '../platform/config/limits.config.js';
import { DatabaseConfig, databaseOptions } from '../platform/database/database.module.js';
import { FlagOverride } from '../platform/flags/flags.service.js';
import { describeApi, describeInternalApi } from '../platform/openapi/document.js';
import { MIN_PASSWORD_LENGTH } from '../staff/staff.config.js';
import { UserRow } from '../users/user.repository.js';
import { WebhookDeliveryRow } from '../webhook-deliveries/webhook-deliveries.repository.js';
import { WebhookEndpointRow } from '../webhook-endpoints/webhook-endpoints.repository.js';
import { backupCommands, backupFolderCommands } from './backup.commands.js';
import { type Command, table, UsageError } from './command.js';
import { experimentCommands } from './experiments.commands.js';
import { giftCodeCommands } from './gift-codes.commands.js';
import { mailCommands } from './mail.commands.js';
import { priceCommands } from './prices.commands.js';
import { settingsCommands } from './settings.commands.js';
import { stuckCommands } from './stuck.commands.js';
import { webhookEndpointCommands } from './webhook-endpoints.commands.js';
import { webhookCommands } from './webhooks.commands.js';

const COMMANDS: readonly Command[] = [
  ...backupCommands,
  ...giftCodeCommands,
  ...settingsCommands,
  ...experimentCommands,
  ...priceCommands,
  ...mailCommands,
  ...stuckCommands,
  ...webhookCommands,
  ...webhookEndpointCommands,
];

async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('password: ');
  for await (const line of createInterface({ input: process.stdin })) return line;
  return '';
}

async function hashPassword(): Promise<string> {
  const password = await readPassword();
  if (password.length < MIN_PASSWORD_LENGTH)
    throw new UsageError(`the password needs at least ${MIN_PASSWORD_LENGTH} characters`);
  return hash(password);
}

/** Prints a description of the API, for tools that generate clients. */
function describe(args: readonly string[], environment: Environment): string {
  const { values } = parseArgs({ args: [...args], options: { internal: { type: 'boolean' } } });
  const describeOne = values.internal ? describeInternalApi : describeApi;
  return JSON.stringify(describeOne(publicUrlIn(environment), LimitsConfig.fromEnvironment(environment)), null, 2);
}

/** Need no database. */
const LOCAL_COMMANDS = [
  {
    name: 'staff-password hash',
    usage: '',
    summary: 'read a password and print its hash for the production configuration',
    run: hashPassword,
  },
  {
    name: 'openapi print',
    usage: '[--internal]',
    summary: 'print the OpenAPI document of /api/openapi.json, or of /api/internal/openapi.json',
    run: describe,
  },
  ...backupFolderCommands,
];

/** Commands have one or two words. */
const named =
  (argv: readonly string[]) =>
  ({ name }: { readonly name: string }): boolean =>
    name === argv[0] || name === argv.slice(0, 2).join(' ');

const argumentsOf = ({ name }: { readonly name: string }, argv: readonly string[]): readonly string[] =>
  argv.slice(name.split(' ').length);

const help = (): string =>
  `Commands:\n\n${table([...COMMANDS, ...LOCAL_COMMANDS].map(({ name, usage, summary }) => [`  pnpm ops ${name} ${usage}`.trimEnd(), summary]))}`;

/**
 * Runs a command of `pnpm ops`, which needs at most the database and audits every change.
 * @param argv arguments after `pnpm ops`
 * @returns text to print
 * @throws UsageError and errors of configuration or options; see {@link describeError}
 */
export async function runCommand(argv: readonly string[], environment: Environment): Promise<string> {
  const local = LOCAL_COMMANDS.find(named(argv));
  if (local) return local.run(argumentsOf(local, argv), environment);
  const command = COMMANDS.find(named(argv));
  if (!command) {
    if (argv.length === 0 || argv[0] === 'help' || argv[0] === '--help') return help();
    throw new UsageError(`unknown command ${argv.slice(0, 2).join(' ')}\n\n${help()}`);
  }
  const database = new DataSource({
    ...databaseOptions(DatabaseConfig.fromEnvironment(environment)),
    entities: [
      AuditEntry,
      ExperimentRow,
      FlagOverride,
      GiftCode,
      MailMessage,
      UserRow,
      WebhookDeliveryRow,
      WebhookEndpointRow,
    ],
  });
  await database.initialize();
  try {
    const audit = new AuditRepository(database);
    const actor = `operator:${userInfo().username}`;
    return await command.run(argumentsOf(command, argv), { database, audit, actor, environment });
  } finally {
    await database.destroy();
  }
}

/** Includes errors of Node's option parser. Printed without a stack. */
const isInputError = (error: Error): boolean =>
  error instanceof UsageError ||
  error instanceof BackupError ||
  error instanceof DiskFullError ||
  error instanceof ConfigurationError ||
  ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

export const describeError = (error: Error): string | undefined => (isInputError(error) ? error.message : error.stack);
