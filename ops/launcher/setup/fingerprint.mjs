import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const GENERATED_FOLDERS = new Set(['node_modules', 'dist', 'build', 'coverage', '.data', '.cache', '.git']);

/**
 * Source files, sorted, relative to `root`.
 * @param {string} root
 * @param {readonly string[]} entries files or folders relative to root; may be absent
 */
export function listSources(root, entries) {
  /** @type {string[]} */
  const files = [];
  const visit = (/** @type {string} */ relative) => {
    const absolute = path.join(root, relative);
    if (!existsSync(absolute)) return;
    if (!statSync(absolute).isDirectory()) {
      if (!relative.endsWith('.tsbuildinfo')) files.push(relative);
      return;
    }
    for (const name of readdirSync(absolute)) if (!GENERATED_FOLDERS.has(name)) visit(path.join(relative, name));
  };
  for (const entry of entries) visit(entry);
  return files.sort();
}

/**
 * Changes exactly when the name or content of a file changes.
 * @param {string} root
 * @param {readonly string[]} files relative to root
 * @param {readonly string[]} [extra] further inputs
 */
export function fingerprint(root, files, extra = []) {
  const hash = createHash('sha256').update(JSON.stringify(extra));
  for (const file of files) {
    const content = readFileSync(path.join(root, file));
    hash.update(`\0${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * Stores the fingerprint of the last build.
 * @param {string} file
 */
export function createStamp(file) {
  return {
    exists: () => existsSync(file),
    /** @param {string} value */
    matches: (value) => existsSync(file) && readFileSync(file, 'utf8') === value,
    /** @param {string} value */
    write(value) {
      mkdirSync(path.dirname(file), { recursive: true });
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, value);
      renameSync(draft, file);
    },
  };
}
