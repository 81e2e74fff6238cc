/** `pnpm plugin:pack [--url https://…] [--storage https://…] [--out FILE]`: writes the plug-in for one server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPlugin } from './build.ts';
import { ccxOf } from './ccx.ts';
import { VERSION } from './manifest.ts';

const { values } = parseArgs({
  // pnpm passes the separator on.
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { url: { type: 'string' }, storage: { type: 'string' }, out: { type: 'string' } },
});

/** @throws Error for anything but an origin: permissions name no paths */
function originOf(option: string, value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash)
    throw new Error(`--${option} must be an origin such as https://photos.example.org; it is '${value}'.`);
  return url.origin;
}

const url = originOf('url', values.url ?? process.env.PUBLIC_URL ?? 'http://localhost:3000');
const storage = values.storage ?? process.env.STORAGE_ORIGIN;
const ccx = ccxOf(await buildPlugin(), { url, storage: storage ? originOf('storage', storage) : null });
const file = resolve(values.out ?? new URL(`dist/clearframe-${VERSION}.ccx`, import.meta.url).pathname);
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, ccx);
process.stdout.write(`${file}: ${Math.ceil(ccx.length / 1000)} kB, for ${url}\n`);
