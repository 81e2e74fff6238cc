import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { unzipSync } from 'fflate';
import type {} from './stand-ins.ts';

/** The script of stand-ins.ts. */
export async function bundleStandIns(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('stand-ins.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
  });
  return outputFiles[0]?.text ?? '';
}

/** The files of a packed plug-in by their paths. */
export const filesOf = (ccx: Uint8Array): Readonly<Record<string, Uint8Array>> => unzipSync(ccx);
