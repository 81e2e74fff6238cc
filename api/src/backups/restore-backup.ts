import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { Writable } from 'node:stream';
import type { Environment } from '@clearframe/runtime/config';
import { ObjectMissingError, type ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import PQueue from 'p-queue';
import { DatabaseConfig } from '../platform/database/database.module.js';
import {
  BackupError,
  type BackupFolder,
  type Manifest,
  type MediaEntry,
  requireFreeBytes,
  tableFile,
} from './backup-folder.js';
import { EmptyDatabase, requireKnownMigrations } from './database-copy.repository.js';
import { placeSecrets } from './product-secrets.js';
import { openSecrets, requirePassphrase, SECRETS_FILE } from './sealed-secrets.js';

const COPIES_AT_ONCE = 4;

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Reads all of a backup: tables, media and, with a passphrase, secrets.
 * @throws BackupError that names everything missing or damaged
 */
export async function verifyBackup(
  folder: BackupFolder,
  { id, passphrase }: { id?: string; passphrase: string | null },
): Promise<Manifest> {
  const manifest = await folder.manifestOf(id);
  const problems: string[] = [];
  const note = (error: unknown) => {
    if (!(error instanceof BackupError)) throw error;
    problems.push(error.message);
  };
  for (const table of manifest.tables)
    await folder.readPart(manifest.id, tableFile(table.name), table, nowhere()).catch(note);
  const entries = await folder.mediaOf(manifest).catch(note);
  const verifyMedia = async ({ key, sha256 }: MediaEntry) => {
    const found = await folder.hashOfMedia(sha256).catch((error: unknown) => {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    });
    if (found !== sha256) problems.push(`${key} is ${found === null ? 'missing' : 'truncated or damaged'}`);
  };
  await forEach(entries ?? [], verifyMedia);
  if (passphrase !== null && manifest.secrets.length > 0)
    await openSecrets(await folder.readJson(manifest.id, SECRETS_FILE), passphrase, manifest.id).catch(note);
  if (problems.length > 0)
    throw new BackupError(
      `the backup ${manifest.id} is not complete:\n${problems.map((one) => `  ${one}`).join('\n')}`,
    );
  return manifest;
}

/**
 * Fills an empty database and its media from a backup. The database comes last, in one transaction: after a failure the
 * restore can be repeated.
 * @param passphrase of the secrets; null leaves those of the place
 * @param envFile new file for the secrets; by default they are those of the data folder
 * @throws BackupError before anything is changed when the database is in use, the backup damaged or of a newer version, the
 * passphrase wrong, or the disk too small
 */
export async function restoreBackup(
  folder: BackupFolder,
  environment: Environment,
  { id, passphrase, envFile }: { id?: string; passphrase: string | null; envFile?: string },
): Promise<{ manifest: Manifest; secretsFile: string | null }> {
  const manifest = await folder.manifestOf(id);
  requireKnownMigrations(manifest);
  if (envFile && existsSync(envFile)) throw new BackupError(`${envFile} exists; name a new file`);
  const hasSecrets = passphrase !== null && manifest.secrets.length > 0;
  const secrets = hasSecrets
    ? await openSecrets(await folder.readJson(manifest.id, SECRETS_FILE), requirePassphrase(passphrase), manifest.id)
    : null;
  const storage = StorageConfig.fromEnvironment(environment);
  const database = await EmptyDatabase.open(DatabaseConfig.fromEnvironment(environment));
  const media = await openObjectStore(storage);
  try {
    await verifyBackup(folder, { id: manifest.id, passphrase: null });
    const entries = await missingOf(media, await folder.mediaOf(manifest));
    if (storage.settings.driver === 'disk') {
      await mkdir(storage.settings.root, { recursive: true, mode: 0o700 });
      await requireFreeBytes(
        storage.settings.root,
        entries.reduce((sum, { size }) => sum + size, 0),
      );
    }
    await forEach(entries, async ({ key, sha256 }) => media.put(key, await folder.readMedia(sha256)));
    await database.fill(manifest, (table, target) =>
      folder.readPart(manifest.id, tableFile(table.name), table, target),
    );
    return { manifest, secretsFile: secrets && (await placeSecrets(secrets, environment, envFile)) };
  } finally {
    await database.close();
    await media.close();
  }
}

/** Entries whose object is not there as it was, for instance after a restore that broke off. */
async function missingOf(media: ObjectStore, entries: readonly MediaEntry[]): Promise<MediaEntry[]> {
  const missing: MediaEntry[] = [];
  await forEach(entries, async (entry) => {
    const isThere =
      (await media.sizeOf(entry.key)) === entry.size && (await media.sha256Of(entry.key)) === entry.sha256;
    if (!isThere) missing.push(entry);
  });
  return missing;
}

async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const queue = new PQueue({ concurrency: COPIES_AT_ONCE });
  try {
    await Promise.all(items.map((item) => queue.add(() => work(item))));
  } finally {
    queue.clear();
  }
}
