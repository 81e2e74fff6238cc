import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = '{api,bench,contract,models,ops,runtime,sandbox,tests,web,worker}/**/*.{ts,tsx,mjs,cjs,css}';
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|build|plain-words\.test\.ts)(?:\/|$)/;
const UNSPECIFIED_PERSON = /\b(?:somebody|nobody|whoever|whom|no one)\b/i;
/** PostgreSQL's system user. */
const SYSTEM_USER = /['"`]nobody\b/g;

it('code names roles (the user, the caller, the owner) instead of unspecified persons', () => {
  const files = globSync(SOURCES, { cwd: ROOT, exclude: (entry) => LEFT_OUT.test(String(entry)) });
  const found = files.flatMap((file) => {
    const lines = readFileSync(path.join(ROOT, file), 'utf8').split('\n');
    return lines.flatMap((line, index) =>
      UNSPECIFIED_PERSON.test(line.replace(SYSTEM_USER, '')) ? [`${file}:${index + 1} ${line.trim()}`] : [],
    );
  });
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});
