import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inMilliseconds } from '@clearframe/contract';
import type { Environment } from '@clearframe/runtime/config';
import { BackupFolder } from '../backups/backup-folder.js';
import { createBackup } from '../backups/create-backup.js';
import { restoreBackup, verifyBackup } from '../backups/restore-backup.js';
import { requirePassphrase } from '../backups/sealed-secrets.js';
import { type Command, type CommandContext, table, UsageError } from './command.js';

/** Of audit entries; the metrics read it. */
const BACKUP_ACTION = 'backups.create';

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const seconds = (since: number): string => `${((Date.now() - since) / 1000).toFixed(1)} s`;

async function inFolder<Result>(
  address: string | undefined,
  option: string,
  environment: Environment,
  work: (folder: BackupFolder) => Promise<Result>,
): Promise<Result> {
  if (!address)
    throw new UsageError(`give the folder or bucket of the backups: ${option} DIR or ${option} s3://bucket/prefix`);
  const folder = await BackupFolder.open(address, environment);
  try {
    return await work(folder);
  } finally {
    await folder.close();
  }
}

const passphraseIn = (environment: Environment, isLeftOut: boolean | undefined): string | null =>
  isLeftOut ? null : requirePassphrase(environment.CLEARFRAME_BACKUP_PASSPHRASE);

function positive(text: string | undefined, option: string): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`${option} needs a whole number from 1 on`);
  return Number(text);
}

async function backUpOnce(
  { to, keep, passphrase }: { to: string | undefined; keep: number | null; passphrase: string | null },
  { audit, actor, environment }: CommandContext,
): Promise<string> {
  const since = Date.now();
  const { manifest, reused, copiedBytes, deletedMeanwhile, removed } = await inFolder(
    to,
    '--to',
    environment,
    (folder) => createBackup(folder, environment, { passphrase, keep }),
  );
  const rows = manifest.tables.reduce((sum, each) => sum + each.rows, 0);
  const { objects, totalBytes } = manifest.media;
  const details = { id: manifest.id, rows, objects, totalBytes, seconds: (Date.now() - since) / 1000 };
  await audit.record({ actor, action: BACKUP_ACTION, details });
  return [
    `backup ${manifest.id} in ${seconds(since)}`,
    `  database: ${rows} rows of ${manifest.tables.length} tables at ${manifest.snapshotAt}`,
    `  media: ${objects} objects, ${megabytes(totalBytes)}; ${megabytes(copiedBytes)} copied, ${reused} objects unchanged`,
    ...(deletedMeanwhile > 0 ? [`  ${deletedMeanwhile} objects were deleted by the product meanwhile`] : []),
    `  secrets: ${manifest.secrets.length > 0 ? manifest.secrets.join(', ') : 'left out'}`,
    ...(removed.length > 0 ? [`  removed: ${removed.join(', ')}`] : []),
  ].join('\n');
}

const backup: Command = {
  name: 'backup',
  usage: '--to DIR|s3://… [--keep N] [--every HOURS] [--without-secrets]',
  summary: 'back up database, media and secrets while the product runs',
  async run(args, context) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        to: { type: 'string' },
        keep: { type: 'string' },
        every: { type: 'string' },
        'without-secrets': { type: 'boolean' },
      },
    });
    const every = positive(values.every, '--every');
    const options = {
      to: values.to,
      keep: positive(values.keep, '--keep'),
      passphrase: passphraseIn(context.environment, values['without-secrets']),
    };
    if (every === null) return backUpOnce(options, context);
    for (;;) {
      const line = await backUpOnce(options, context).catch((error: Error) => `the backup failed: ${error.message}`);
      process.stdout.write(`${new Date().toISOString()} ${line}\n`);
      await delay(inMilliseconds.hours(every));
    }
  },
};

async function verify(args: readonly string[], environment: Environment): Promise<string> {
  const { values } = parseArgs({
    args: [...args],
    options: { from: { type: 'string' }, backup: { type: 'string' } },
  });
  const since = Date.now();
  const passphrase = environment.CLEARFRAME_BACKUP_PASSPHRASE || null;
  const { id, media } = await inFolder(values.from, '--from', environment, (folder) =>
    verifyBackup(folder, { id: values.backup, passphrase }),
  );
  const secrets = passphrase ? '' : '; without CLEARFRAME_BACKUP_PASSPHRASE the secrets were not opened';
  return `backup ${id} is complete: ${media.objects} objects, ${megabytes(media.totalBytes)} read in ${seconds(since)}${secrets}`;
}

const restore: Command = {
  name: 'restore',
  usage: '--from DIR|s3://… [--backup ID] [--secrets-to FILE | --without-secrets]',
  summary: 'fill an empty database, the media and the secrets from a backup, by default the newest',
  async run(args, { audit, actor, environment }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        backup: { type: 'string' },
        'without-secrets': { type: 'boolean' },
        'secrets-to': { type: 'string' },
      },
    });
    const since = Date.now();
    const passphrase = passphraseIn(environment, values['without-secrets']);
    const { manifest, secretsFile } = await inFolder(values.from, '--from', environment, (folder) =>
      restoreBackup(folder, environment, { id: values.backup, passphrase, envFile: values['secrets-to'] }),
    );
    await audit.record({ actor, action: 'backups.restore', details: { id: manifest.id } });
    return [
      `restored ${manifest.id} in ${seconds(since)}: the state of ${manifest.snapshotAt}`,
      secretsFile ? `  secrets: ${secretsFile}` : '  secrets: not restored',
      '  restart the product',
    ].join('\n');
  },
};

async function list(args: readonly string[], environment: Environment): Promise<string> {
  const { values } = parseArgs({ args: [...args], options: { in: { type: 'string' } } });
  return inFolder(values.in, '--in', environment, async (folder) => {
    const { finished, unfinished } = await folder.ids();
    const rows = await Promise.all(
      finished.map(async (id) => {
        const { snapshotAt, media } = await folder.manifestOf(id);
        return [id, snapshotAt, String(media.objects), megabytes(media.totalBytes)];
      }),
    );
    return table([['BACKUP', 'STATE OF', 'OBJECTS', 'MEDIA'], ...rows, ...unfinished.map((id) => [id, 'unfinished'])]);
  });
}

export const backupCommands: readonly Command[] = [backup, restore];

/** Need no database. */
export const backupFolderCommands = [
  {
    name: 'verify',
    usage: '--from DIR|s3://… [--backup ID]',
    summary: 'read a whole backup, by default the newest, and compare it with its checksums',
    run: verify,
  },
  { name: 'backups', usage: '--in DIR|s3://…', summary: 'list backups', run: list },
];
