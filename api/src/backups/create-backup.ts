import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import type { Environment } from '@clearframe/runtime/config';
import { ObjectMissingError, type ObjectStore, openObjectStore, StorageConfig } from '@clearframe/runtime/storage';
import PQueue from 'p-queue';
import { DatabaseConfig } from '../platform/database/database.module.js';
import {
  BackupError,
  type BackupFolder,
  type Manifest,
  MEDIA_LIST,
  type MediaEntry,
  tableFile,
} from './backup-folder.js';
import { DatabaseSnapshot } from './database-copy.repository.js';
import { productSecretsIn } from './product-secrets.js';
import { SECRETS_FILE, sealSecrets } from './sealed-secrets.js';

/**
 * In this order: `process` moves a file from an upload to an input while they are listed. The rest of a key's path is
 * the task's id.
 */
export const MEDIA_FOLDERS = ['uploads/', 'upload-parts/', 'masks/', 'inputs/', 'results/'];
const REPORT = /^results\/[^/]+\/([^/]+)\/report\.json$/;
const IDS_AT_ONCE = 1000;
const COPIES_AT_ONCE = 4;

export interface BackupResult {
  readonly manifest: Manifest;
  /** Objects that an earlier backup had. */
  readonly reused: number;
  /** Deleted by users or by age while the backup ran. */
  readonly deletedMeanwhile: number;
  readonly copiedBytes: number;
  readonly removed: readonly string[];
}

type Listed = Omit<MediaEntry, 'sha256'>;

const idOf = (date: Date): string => date.toISOString().replace(/[-:.]/g, '');

/**
 * Backs up database, media and secrets while the product runs.
 * @param passphrase seals the secrets; null leaves them out
 * @param keep number of backups to keep, this one included; null keeps all
 * @throws BackupError, and errors of the database, the media or the folder; earlier backups stay as they are
 */
export async function createBackup(
  folder: BackupFolder,
  environment: Environment,
  { passphrase, keep }: { passphrase: string | null; keep: number | null },
): Promise<BackupResult> {
  const secrets = passphrase === null ? {} : productSecretsIn(environment);
  const media = await openObjectStore(StorageConfig.fromEnvironment(environment));
  const snapshot = await DatabaseSnapshot.take(DatabaseConfig.fromEnvironment(environment));
  try {
    await folder.prepare();
    const id = idOf(snapshot.takenAt);
    const { finished } = await folder.ids();
    if (finished.includes(id)) throw new BackupError(`there is a backup ${id} already`);
    const previous = finished.length > 0 ? await folder.mediaOf(await folder.manifestOf()) : [];
    const database = {
      migrations: await snapshot.migrations(),
      tables: await copyTables(snapshot, folder, id),
      sequences: await snapshot.sequences(),
    };
    const listed = await listMedia(snapshot, media);
    await snapshot.finish();
    const copied = await copyMedia(media, folder, listed, previous);
    const list = new PassThrough();
    const stored = folder.putPart(id, MEDIA_LIST, list);
    for (const entry of copied.entries) if (!list.write(`${JSON.stringify(entry)}\n`)) await once(list, 'drain');
    list.end();
    if (passphrase !== null) await folder.putFile(id, SECRETS_FILE, await sealSecrets(secrets, passphrase, id));
    const manifest: Manifest = {
      version: 1,
      id,
      snapshotAt: snapshot.takenAt.toISOString(),
      finishedAt: new Date().toISOString(),
      ...database,
      media: {
        ...(await stored),
        objects: copied.entries.length,
        totalBytes: copied.entries.reduce((sum, { size }) => sum + size, 0),
      },
      secrets: Object.keys(secrets),
    };
    await snapshot.requireLock();
    await folder.putManifest(manifest);
    const { entries, ...counts } = copied;
    return {
      manifest,
      ...counts,
      deletedMeanwhile: listed.length - entries.length,
      removed: keep === null ? [] : await folder.prune(keep),
    };
  } finally {
    await snapshot.close();
    await media.close();
  }
}

async function copyTables(snapshot: DatabaseSnapshot, folder: BackupFolder, id: string): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = [];
  for (const table of await snapshot.tables()) {
    let rows = 0;
    const source = snapshot.rowsOf(table, (count) => {
      rows = count;
    });
    const part = await folder.putPart(id, tableFile(table.name), source);
    tables.push({ name: table.name, columns: [...table.columns], rows, ...part });
  }
  return tables;
}

/**
 * Objects of tasks in the snapshot. A report says that a run has ended: those of runs that end after the snapshot are
 * left out, so that they run again after a restore instead of missing files that were stored meanwhile.
 */
async function listMedia(snapshot: DatabaseSnapshot, media: ObjectStore): Promise<Listed[]> {
  const listed: Listed[] = [];
  let batch: Listed[] = [];
  const take = async () => {
    const taskIdOf = ({ key }: Listed) => key.split('/')[1] ?? '';
    const runIdOf = ({ key }: Listed) => REPORT.exec(key)?.[1];
    const tasks = await snapshot.tasksAmong([...new Set(batch.map(taskIdOf))]);
    const ended = await snapshot.endedAmong(batch.flatMap((object) => runIdOf(object) ?? []));
    for (const object of batch) {
      const runId = runIdOf(object);
      if (tasks.has(taskIdOf(object)) && (runId === undefined || ended.has(runId))) listed.push(object);
    }
    batch = [];
  };
  for (const folder of MEDIA_FOLDERS) {
    for await (const { key, sizeBytes, modifiedAt } of media.list(folder)) {
      batch.push({ key, size: sizeBytes, modified: modifiedAt.getTime() });
      if (batch.length === IDS_AT_ONCE) await take();
    }
  }
  await take();
  return listed;
}

async function copyMedia(
  media: ObjectStore,
  folder: BackupFolder,
  listed: readonly Listed[],
  previous: readonly MediaEntry[],
): Promise<{ entries: MediaEntry[]; reused: number; copiedBytes: number }> {
  const stored = await folder.storedMedia();
  const known = new Map(previous.map((entry) => [entry.key, entry]));
  const entries: MediaEntry[] = [];
  const changed: Listed[] = [];
  for (const object of listed) {
    const earlier = known.get(object.key);
    const isKnown = earlier?.size === object.size && earlier.modified === object.modified;
    if (isKnown && stored.get(earlier.sha256) === earlier.size) entries.push(earlier);
    else changed.push(object);
  }
  const reused = entries.length;
  await folder.requireSpace(changed.reduce((sum, { size }) => sum + size, 0));
  let copiedBytes = 0;
  const copyOne = async (object: Listed) => {
    const found = await openObject(media, object.key);
    if (!found) return;
    try {
      const { sha256, size, isNew } = await folder.putMedia(found.file);
      entries.push({ ...object, size, sha256 });
      if (isNew) copiedBytes += size;
    } finally {
      await found.release();
    }
  };
  const queue = new PQueue({ concurrency: COPIES_AT_ONCE });
  try {
    await Promise.all(changed.map((object) => queue.add(() => copyOne(object))));
  } finally {
    queue.clear();
  }
  return { entries, reused, copiedBytes };
}

/** Null for an object that was deleted. */
async function openObject(media: ObjectStore, key: string) {
  try {
    const local = await media.fetch(key);
    const file = await open(local.path);
    const release = async () => {
      await file.close();
      await local.release();
    };
    return { file, release };
  } catch (error) {
    const isGone = error instanceof ObjectMissingError || (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isGone) throw error;
    return null;
  }
}
