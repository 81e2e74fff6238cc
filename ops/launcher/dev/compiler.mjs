import { spawn } from 'node:child_process';
import { Failure } from '../processes/failure.mjs';
import { runCommand } from '../processes/processes.mjs';

const COMPILED = ['contract', 'runtime', 'api', 'worker', 'sandbox'];
const COMPILER = 'ops/launcher/dev/compile.mjs';
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
  const { code, output } = await runCommand(node, [COMPILER, COMPILED.join()], { cwd: root, env, stop });
  if (code !== 0) throw new Failure('The sources could not be compiled.', output);
}

/**
 * Starts the compiler of `npm run dev`, which ends with this process.
 * @param {{ root: string, node: string }} options
 * @returns {Promise<{ restartOnChange: (restart: (services: string[]) => Promise<void>) => void }>} once everything is compiled
 */
export async function startCompiler({ root, node }) {
  const child = spawn(node, [COMPILER, COMPILED.join(), SERVED.join()], {
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
