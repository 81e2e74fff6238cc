import { strToU8, zipSync } from 'fflate';
import type { Built } from './build.ts';
import { manifestOf, type Origins } from './manifest.ts';

/** The first that a ZIP can name: equal contents make equal files. */
const DATE = new Date(1980, 0, 1);

/** The plug-in for one server, as the file that Creative Cloud installs: a ZIP with its manifest at the root. */
export function ccxOf({ files, commands }: Built, origins: Origins): Uint8Array {
  const all: Record<string, Uint8Array> = {
    ...files,
    'manifest.json': strToU8(`${JSON.stringify(manifestOf(origins, commands), null, 2)}\n`),
    'config.js': strToU8(`globalThis.CLEARFRAME_URL = ${JSON.stringify(origins.url)};\n`),
  };
  const sorted = Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
  return zipSync(Object.fromEntries(sorted), { level: 9, mtime: DATE, os: 3 });
}
