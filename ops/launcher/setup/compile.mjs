/**
 * Writes `dist` from `src` file by file, without types, for `npm run dev` and `npm test -- FILE`. Arguments: rooms to compile and
 * folders to watch only, each separated by commas. With an IPC channel it goes on and reports the rooms that changed as
 * `{ changed: string[] }`; the first report, an empty one, says that `dist` is up to date.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformFile } from '@swc/core';

/** As tsc compiles them (tsconfig.base.json); decorators of Nest read the types that SWC emits as metadata. */
const OPTIONS = {
  swcrc: false,
  configFile: false,
  sourceMaps: true,
  module: { type: /** @type {const} */ ('es6') },
  jsc: {
    target: /** @type {const} */ ('es2024'),
    parser: { syntax: /** @type {const} */ ('typescript'), tsx: false, decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      verbatimModuleSyntax: true,
      react: { runtime: /** @type {const} */ ('automatic') },
    },
    keepClassNames: true,
  },
};

/** Editors write a file in several steps. */
const SETTLE_MS = 30;
const SOURCE = /(?<!\.d)\.(?:ts|tsx)$/;
const TEST = /\.test\.tsx?$/;

/** @param {string} file */
const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** @param {string} source in a room's `src` */
const outputOf = (source) =>
  source.replace(`${path.sep}src${path.sep}`, `${path.sep}dist${path.sep}`).replace(/\.tsx?$/, '.js');

/** @param {string} source */
async function compile(source) {
  const output = outputOf(source);
  const { code, map } = await transformFile(source, {
    ...OPTIONS,
    sourceFileName: path.relative(path.dirname(output), source),
    jsc: { ...OPTIONS.jsc, parser: { ...OPTIONS.jsc.parser, tsx: source.endsWith('.tsx') } },
  });
  mkdirSync(path.dirname(output), { recursive: true });
  if (map) writeFileSync(`${output}.map`, map);
  writeFileSync(output, `${code}\n//# sourceMappingURL=${path.basename(output)}.map\n`);
}

/**
 * Compiles what is newer than its output and removes outputs without a source, which must not be imported any more.
 * @param {string} room
 */
async function update(room) {
  const sources = readdirSync(path.join(room, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => SOURCE.test(name) && !TEST.test(name))
    .map((name) => path.resolve(room, 'src', name));
  const stale = sources.filter((source) => modifiedAt(source) > modifiedAt(outputOf(source)));
  const removed = removedOutputs(room);
  for (const output of removed) rmSync(output);
  // tsc would take the others for its own.
  if (stale.length > 0 || removed.length > 0) rmSync(path.join(room, 'dist/.tsbuildinfo'), { force: true });
  const outcomes = await Promise.allSettled(stale.map(compile));
  for (const outcome of outcomes) if (outcome.status === 'rejected') console.error(String(outcome.reason));
  const failed = outcomes.some(({ status }) => status === 'rejected');
  return { failed, changed: removed.length > 0 || outcomes.some(({ status }) => status === 'fulfilled') };
}

/**
 * Watches each folder by itself: a recursive watch of Node follows files, and loses those that an editor replaces.
 * @param {string} folder
 * @param {() => void} onChange
 */
function watchFolder(folder, onChange) {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watched = new Map();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const follow = () => {
    const folders = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const present = new Set([folder, ...folders.map(({ parentPath, name }) => path.join(parentPath, name))]);
    for (const [known, watcher] of watched) {
      if (present.has(known)) continue;
      watcher.close();
      watched.delete(known);
    }
    for (const one of present) if (!watched.has(one)) watched.set(one, watch(one, onEvent));
  };
  const onEvent = (/** @type {string} */ event, /** @type {string | null} */ name) => {
    const isSource = !name || /\.(?:ts|tsx|json)$/.test(name);
    if (!isSource && event !== 'rename') return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      follow();
      onChange();
    }, SETTLE_MS);
  };
  follow();
}

/** @param {string} room */
function removedOutputs(room) {
  const dist = path.join(room, 'dist');
  if (!existsSync(dist)) return [];
  const hasSource = (/** @type {string} */ name) =>
    ['ts', 'tsx'].some((type) => existsSync(path.join(room, 'src', name.replace(/js$/, type))));
  return readdirSync(dist, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js') && !hasSource(name))
    .map((name) => path.join(dist, name));
}

const [compiled = [], served = []] = process.argv.slice(2).map((list) => list.split(','));

const outcomes = await Promise.all(compiled.map(update));

if (process.connected) {
  /** @param {string[]} changed rooms */
  const report = (changed) => process.send?.({ changed });
  for (const room of compiled) {
    watchFolder(path.join(room, 'src'), async () => {
      if ((await update(room)).changed) report([room]);
    });
  }
  for (const folder of served) watchFolder(folder, () => report([folder]));
  process.on('disconnect', () => process.exit(0));
  report([]);
} else if (outcomes.some(({ failed }) => failed)) {
  process.exitCode = 1;
}
