// Given by Photoshop.
// biome-ignore lint/style/useNodejsImportProtocol: UXP knows it by this name
import { arch, cpus, homedir, platform, totalmem } from 'os';
import { storage, userInfo } from 'uxp';

const { secureStorage, localFileSystem } = storage;
const KEY = 'key';
const DEVICE = 'device';
const DEVICE_FILE = 'device.txt';
const DEVICE_BYTES = 16;

async function secret(name: string): Promise<string | null> {
  try {
    const bytes = await secureStorage.getItem(name);
    return bytes && bytes.length > 0 ? String.fromCharCode(...bytes) : null;
  } catch {
    // A secure storage that can't be decrypted any more is empty.
    return null;
  }
}

/** The key is stored encrypted, and nowhere else. */
export const storedKey = (): Promise<string | null> => secret(KEY);
export const storeKey = (key: string): Promise<void> => secureStorage.setItem(KEY, key);
export async function forgetKey(): Promise<void> {
  if (await storedKey()) await secureStorage.removeItem(KEY);
}

async function readFile(name: string): Promise<string | null> {
  try {
    const folder = await localFileSystem.getDataFolder();
    return String(await (await folder.getEntry(name)).read());
  } catch {
    // It doesn't exist yet.
    return null;
  }
}

async function writeFile(name: string, text: string): Promise<void> {
  const folder = await localFileSystem.getDataFolder();
  await (await folder.createFile(name, { overwrite: true })).write(text);
}

/**
 * The id to which a key is bound for good. A lost id would lose the key, so it is in two places, each of which restores the other;
 * without both it is made anew of the Adobe user and the computer, and at random without a user.
 */
export async function deviceId(): Promise<string> {
  const [kept, filed] = await Promise.all([secret(DEVICE), readFile(DEVICE_FILE)]);
  const id = kept ?? (filed?.trim() || newDeviceId());
  if (kept !== id) await secureStorage.setItem(DEVICE, id);
  if (filed !== id) await writeFile(DEVICE_FILE, id);
  return id;
}

function newDeviceId(): string {
  const user = (userInfo?.userId() ?? '').replaceAll(/[^\x21-\x7e]/g, '');
  if (user.length >= DEVICE_BYTES) return `ps-${user.slice(0, 150)}-${computer()}`;
  const bytes = crypto.getRandomValues(new Uint8Array(DEVICE_BYTES));
  return `ps-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The same user has another id on another computer. FNV-1a, as UXP has no Web Crypto; of what no update of the system changes. */
function computer(): string {
  const parts = [platform(), arch(), cpus()[0]?.model, totalmem(), homedir()].join();
  let hash = 0x811c9dc5;
  for (const letter of parts) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, '0');
}

/** Settings, presets and history: files of the plug-in, kept over updates. A damaged one is as good as none. */
export async function readJson(name: string): Promise<unknown> {
  const text = await readFile(`${name}.json`);
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

export const writeJson = (name: string, value: unknown): Promise<void> =>
  writeFile(`${name}.json`, JSON.stringify(value));
