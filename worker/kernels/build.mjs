import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = 'kernels.wasm';
const OPTIONS = ['--optimizeLevel', '3', '--runtime', 'stub', '--noAssert', '--importMemory', '--enable', 'simd'];

/** @returns {Promise<Uint8Array>} */
export async function compileKernels() {
  let binary;
  const { error, stderr } = await asc.main(['kernels.ts', '--baseDir', FOLDER, '--outFile', OUTPUT, ...OPTIONS], {
    writeFile: (_name, contents) => {
      binary = contents;
    },
  });
  if (error || !(binary instanceof Uint8Array))
    throw new Error(`The kernels do not compile: ${stderr}`, { cause: error });
  return binary;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(new URL(OUTPUT, import.meta.url), await compileKernels());
}
