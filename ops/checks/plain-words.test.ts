import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ROOMS = '{api,bench,contract,models,ops,runtime,sandbox,tests,web,worker}';
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|build|plain-words\.test\.ts)(?:\/|$)/;
const filesIn = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (entry) => LEFT_OUT.test(String(entry)) });
const SOURCES = filesIn(`${ROOMS}/**/*.{ts,tsx,mjs,cjs,css}`);
const linesOf = (file: string): string[] => readFileSync(path.join(ROOT, file), 'utf8').split('\n');

function linesWith(words: RegExp, allowed?: RegExp): string[] {
  return SOURCES.flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      words.test(allowed ? line.replace(allowed, '') : line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
    ),
  );
}

/** PostgreSQL's system user. */
const SYSTEM_USER = /['"`]nobody\b/g;

it('code names roles (the user, the caller, the owner) instead of unspecified persons', () => {
  expect(SOURCES.length).toBeGreaterThan(500);
  expect(linesWith(/(?<![a-z])(?:somebody|nobody|whoever|whom|no one)\b/i, SYSTEM_USER)).toEqual([]);
});

const REPLACED_NAMES = [
  ...['PostOffice', 'BillingLetters', 'RunKeeper', 'TaskKeeping', 'QueueRoom', 'LiveRun'],
  ...['SandboxDesk', 'SandboxDoors', 'SandboxLine', 'PATIENCE_MS', 'PENNILESS', 'NothingHere', 'keepLanding'],
  ...['giveBack', 'HandedBack', 'WEIGHTY', 'Revisit', 'waitAfter', 'keepForBack', 'warnOfLeaving', 'Handover'],
  ...['betterFirst', 'boxAbout', 'linesAbout', 'lookBack', 'threadBeside'],
  ...['leave-?[tT]aking', 'Facts\\b', 'News\\b'],
];
/** Names that are parts of other words, or words of sentences in another case. */
const REPLACED_WORDS = [
  ...['Letter', 'Turns', 'Surroundings', 'Ground', 'standing', 'facts', 'news', 'office', 'books', 'companies'],
  ...['greet', 'asking\\(\\)', 'comes? back for nothing', 'go(?:es)? home', 'the deed'],
];

it('code uses the terms of the field', () => {
  expect(linesWith(new RegExp(`${REPLACED_NAMES.join('|')}|\\b(?:${REPLACED_WORDS.join('|')})(?!\\w)`))).toEqual([]);
});

const BRITISH_SPELLING =
  /colour|grey|centre|neighbour|artefact|behaviour|(?:recogn|serial|priorit|normal|organ|initial|anonym|synchron)ise|optimise/i;
/** Names in sharp and libvips, and the response of a mail server. */
const FOREIGN_SPELLING = /(?:to|pipeline)Colourspace|grey16|greylisted/g;

it('comments and titles have American spelling, as identifiers do', () => {
  expect(linesWith(BRITISH_SPELLING, FOREIGN_SPELLING)).toEqual([]);
});

const COMMENT_START = /^\s*(?:\/\*\*|\/\/) (.+)/;
const JSDOC_LINE = /^\s*\* (.+)/;
/** Words after which the subject is missing. */
const NO_SUBJECT = /^(?:Of|Those|As|By|Also|To)\s/;

function commentStarts(lines: readonly string[]): { readonly line: number; readonly text: string }[] {
  return lines.flatMap((line, index) => {
    const before = lines[index - 1]?.trim() ?? '';
    if (before.startsWith('//')) return [];
    const text = (COMMENT_START.exec(line) ?? (before === '/**' ? JSDOC_LINE.exec(line) : null))?.[1];
    return text === undefined ? [] : [{ line: index + 1, text }];
  });
}

it('comments start with what they describe', () => {
  const starts = SOURCES.flatMap((file) => commentStarts(linesOf(file)).map((start) => ({ file, ...start })));
  expect(starts.length).toBeGreaterThan(1000);
  expect(starts.filter(({ text }) => NO_SUBJECT.test(text))).toEqual([]);
});

const MAX_LINES = 250;

it(`a file has at most ${MAX_LINES} lines`, () => {
  const long = SOURCES.map((file) => ({ file, lines: linesOf(file).length - 1 })).filter(
    ({ lines }) => lines > MAX_LINES,
  );
  expect(long).toEqual([]);
});

const MAX_ENTRIES = 12;
/** Entry points and configuration at the places where tools expect them. */
const UNCOUNTED = /^(?:main\.ts|package\.json|tsconfig.*\.json|vite(?:st)?\..*)$/;
/** Named by a convention, or generated. */
const UNLIMITED = /(?:^|\/)(?:routes|migrations|public|samples|fixtures)(?:\/|$)/;

it(`a folder has at most ${MAX_ENTRIES} entries`, () => {
  const entries = new Map<string, Set<string>>();
  for (const file of filesIn(`${ROOMS}/**/*.*`)) {
    const parts = file.split(path.sep);
    for (const [depth, name] of parts.entries()) {
      const folder = parts.slice(0, depth).join('/');
      if (folder === '' || UNLIMITED.test(folder) || UNCOUNTED.test(name)) continue;
      entries.set(folder, (entries.get(folder) ?? new Set()).add(name));
    }
  }
  expect([...entries].filter(([, names]) => names.size > MAX_ENTRIES).map(([folder]) => folder)).toEqual([]);
});
