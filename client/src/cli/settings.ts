import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from './exit-codes.ts';

/** A key and the address that it is for. */
export interface Settings {
  readonly key: string;
  readonly url: string;
}

const DEFAULT_URL = 'http://localhost:3000';

function settingsFile(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32')
    return join(env.APPDATA ?? join(homedir(), 'AppData/Roaming'), 'clearframe/settings.json');
  const fallback = process.platform === 'darwin' ? 'Library/Application Support' : '.config';
  return join(env.XDG_CONFIG_HOME || join(env.HOME ?? homedir(), fallback), 'clearframe/settings.json');
}

async function readSettings(env: NodeJS.ProcessEnv): Promise<Partial<Settings>> {
  try {
    return JSON.parse(await readFile(settingsFile(env), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new UsageError(`${settingsFile(env)} can't be read (${String(error)}): run \`clearframe login\` again.`);
  }
}

/** Readable by its owner only. @returns its path */
export async function storeSettings(env: NodeJS.ProcessEnv, settings: Settings): Promise<string> {
  const file = settingsFile(env);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  // The mode counts for new files only.
  await chmod(file, 0o600);
  return file;
}

export const removeSettings = (env: NodeJS.ProcessEnv): Promise<void> => rm(settingsFile(env), { force: true });

/** Options count more than the environment, and that more than what `login` stored. */
export async function urlOf(env: NodeJS.ProcessEnv, option: string | undefined): Promise<string> {
  return option ?? (env.CLEARFRAME_URL || (await readSettings(env)).url || DEFAULT_URL);
}

/** @throws UsageError without a key for the address: a stored key is sent to the address of its login only */
export async function findSettings(
  env: NodeJS.ProcessEnv,
  options: { readonly key?: string; readonly url?: string },
): Promise<Settings> {
  const url = await urlOf(env, options.url);
  const given = options.key ?? env.CLEARFRAME_API_KEY;
  if (given) return { key: given, url };
  const stored = await readSettings(env);
  if (stored.key && stored.url === url) return { key: stored.key, url };
  throw new UsageError(`There is no key for ${url}: run \`clearframe login\`, or set CLEARFRAME_API_KEY.`);
}
