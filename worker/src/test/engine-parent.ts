/** A process with a running engine call, killed by a test. Prints the child's process id. */
import { AiEngine } from '../inference/engine.js';

const engine = new AiEngine({ childPath: new URL('../inference/child.ts', import.meta.url) });
await engine.start();
process.stdout.write(`${await engine.childPid()}\n`);
const side = 1500;
await engine.enhance(
  { width: side, height: side, data: new Uint8Array(side * side * 3) },
  { backgroundEnhance: { model: 'base' } },
  { signal: new AbortController().signal, onProgress: () => undefined },
);
