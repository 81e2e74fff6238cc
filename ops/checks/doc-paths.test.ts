import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENTS = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const ROOMS = 'api|bench|contract|docs|locales|models|ops|runtime|sandbox|tests|web|worker|\\.ci';
const INLINE_PATH = new RegExp(`\`((?:${ROOMS})/[\\w@.,{}*$()/-]+)\``, 'g');
const RELATIVE_LINK = /\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g;
/** Absent from a fresh clone. */
const GENERATED = /(?:^|\/)(?:dist|build|node_modules)\//;

function missingPaths(document: string): string[] {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  const mentioned = [...text.matchAll(INLINE_PATH)].map(([, found = '']) => found);
  const linked = [...text.matchAll(RELATIVE_LINK)].map(([, target = '']) =>
    path.relative(ROOT, path.resolve(ROOT, path.dirname(document), target)),
  );
  return [...mentioned, ...linked].filter(
    (found) =>
      !GENERATED.test(found) && !existsSync(path.join(ROOT, found)) && globSync(found, { cwd: ROOT }).length === 0,
  );
}

describe('paths in the documentation', () => {
  it.each(DOCUMENTS)('%s mentions existing files only', (document) => expect(missingPaths(document)).toEqual([]));
});
