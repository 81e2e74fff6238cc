import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';
import { createStamp, fingerprint, listSources } from './fingerprint.mjs';
import { runPnpm } from './install.mjs';

/** @typedef {import('./install.mjs').Toolchain} Toolchain */

/** @typedef {{ name: string, sources: string[], results: string[], run: (toolchain: Toolchain, node: string) => Promise<{ code: number | null, output: string }> }} Target */

/** Compiled for Node. */
const COMPILED = ['contract', 'runtime', 'api', 'worker', 'sandbox'];
/** Run with one checker: two add a third of the work, four double it. */
const TSC = 'node_modules/typescript-native/bin/tsc';

/** @satisfies {Record<string, Target>} */
const TARGETS = {
  node: {
    name: 'api and worker',
    sources: [...COMPILED, 'tsconfig.base.json', 'pnpm-lock.yaml'],
    results: [
      'contract/dist/index.js',
      'api/dist/main.js',
      'api/dist/ops/migrate.js',
      'worker/dist/main.js',
      'sandbox/dist/main.js',
      // Removed by `npm run dev`, which writes the others too.
      ...COMPILED.map((room) => `${room}/dist/.tsbuildinfo`),
    ],
    run: ({ root, env, stop }, node) =>
      runCommand(node, [TSC, '-b', ...COMPILED, '--checkers', '1'], {
        cwd: root,
        env,
        stop,
      }),
  },
  web: {
    name: 'web',
    sources: ['contract', 'web', 'plugin', 'client/src', 'locales', 'tsconfig.base.json', 'pnpm-lock.yaml'],
    results: ['web/build/server/index.js', 'web/build/client'],
    run: (toolchain) => runPnpm(toolchain, ['--filter', '@clearframe/web', 'run', 'build']),
  },
};

/**
 * With types, for checks and editors; the product needs only what `compileOnce` writes.
 * @param {Toolchain} toolchain
 * @param {string} node
 * @param {import('../processes/report.mjs').Report} report
 */
export const buildNode = (toolchain, node, report) => build(TARGETS.node, toolchain, node, report);

/**
 * Needs the contract compiled.
 * @type {typeof buildNode}
 */
export const buildWeb = (...args) => build(TARGETS.web, ...args);

/**
 * @param {Target} target
 * @param {Toolchain} toolchain
 * @param {string} node
 * @param {import('../processes/report.mjs').Report} report
 */
async function build({ name, sources, results, run }, toolchain, node, report) {
  const { root } = toolchain;
  const stamp = createStamp(path.join(root, `node_modules/.cache/clearframe/build-${name.replaceAll(' ', '-')}`));
  const wanted = fingerprint(root, listSources(root, sources));
  const isBuilt = results.every((result) => existsSync(path.join(root, result)));
  if (isBuilt && stamp.matches(wanted)) return;
  await report.step(`building ${name}`, async () => {
    const { code, output } = await run(toolchain, node);
    if (code !== 0) throw new Failure(`The build of ${name} failed; see the compiler's output above.`, output);
    const missing = results.find((result) => !existsSync(path.join(root, result)));
    if (missing) throw new Failure(`The build of ${name} left no ${missing}.`, output);
    stamp.write(wanted);
  });
}

const TRANSPILER = 'ops/launcher/setup/compile.mjs';
/** Runs from its sources; its pages are Vite's matter (web/server/assets.ts). */
const SERVED = ['web/server'];

/** @type {Readonly<Record<string, readonly string[]>>} */
const SERVICES_OF = {
  contract: ['sandbox', 'api', 'worker', 'web'],
  runtime: ['sandbox', 'api', 'worker'],
  'web/server': ['web'],
};

/**
 * Brings `dist` up to date in a second.
 * @param {import('../setup/install.mjs').Toolchain} toolchain
 * @param {string} node
 */
export async function compileOnce({ root, env, stop }, node) {
  const { code, output } = await runCommand(node, [TRANSPILER, COMPILED.join()], { cwd: root, env, stop });
  if (code !== 0) throw new Failure('The sources could not be compiled.', output);
}

/**
 * Starts the compiler of `npm run dev`, which ends with this process.
 * @param {{ root: string, node: string }} options
 * @returns {Promise<{ restartOnChange: (restart: (services: string[]) => Promise<void>) => void }>} once everything is compiled
 */
export async function startCompiler({ root, node }) {
  const child = spawn(node, [TRANSPILER, COMPILED.join(), SERVED.join()], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Failure(`The compiler ended (exit code ${code}); see its output above.`)));
  });
  return {
    restartOnChange(restart) {
      /** @type {Set<string>} */
      const waiting = new Set();
      let isBusy = false;
      const work = async () => {
        if (isBusy) return;
        isBusy = true;
        while (waiting.size > 0) {
          const services = [...waiting];
          waiting.clear();
          await restart(services);
        }
        isBusy = false;
      };
      child.on('message', (/** @type {{ changed: string[] }} */ { changed }) => {
        for (const room of changed) for (const service of SERVICES_OF[room] ?? [room]) waiting.add(service);
        void work();
      });
    },
  };
}
