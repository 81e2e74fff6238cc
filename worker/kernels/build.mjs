import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const OUTPUT = ['--outFile', 'kernels.wasm', '--bindings', 'raw'];
const OPTIONS = ['--optimizeLevel', '3', '--runtime', 'stub', '--noAssert', '--importMemory', '--enable', 'simd'];
const COMMENTS = /^ *\/\*\*.*?\*\/\n/gms;

/** @returns {Promise<{ binary: Uint8Array, types: string }>} */
export async function compileKernels() {
  const written = new Map();
  const { error, stderr } = await asc.main(['kernels.ts', '--baseDir', FOLDER, ...OUTPUT, ...OPTIONS], {
    writeFile: (name, contents) => {
      written.set(name, contents);
    },
  });
  if (error) throw new Error(`The kernels do not compile: ${stderr}`, { cause: error });
  return { binary: written.get('kernels.wasm'), types: written.get('kernels.d.ts').replaceAll(COMMENTS, '') };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { binary, types } = await compileKernels();
  await writeFile(new URL('kernels.wasm', import.meta.url), binary);
  // Not kernels.d.ts, which TypeScript would take for the types of kernels.ts.
  await writeFile(new URL('compiled.d.ts', import.meta.url), types);
}
