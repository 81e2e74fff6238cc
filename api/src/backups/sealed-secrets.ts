import { createCipheriv, createDecipheriv, randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { BackupError } from './backup-folder.js';

export const SECRETS_FILE = 'secrets.json';

const MIN_PASSPHRASE_LENGTH = 12;
const KEY_BYTES = 32;
const SALT_BYTES = 16;
/** Of AES-GCM, NIST SP 800-38D. */
const NONCE_BYTES = 12;
/** OWASP's parameters for scrypt: 128 MB and half a second a guess. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 ** 2 } as const satisfies ScryptOptions;

const schema = z.object({
  version: z.literal(1),
  salt: z.base64(),
  nonce: z.base64(),
  tag: z.base64(),
  sealed: z.base64(),
});

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** @throws BackupError for one that is too short to protect a stolen backup */
export function requirePassphrase(passphrase: string | undefined): string {
  if ((passphrase ?? '').length >= MIN_PASSPHRASE_LENGTH) return passphrase ?? '';
  throw new BackupError(
    `set CLEARFRAME_BACKUP_PASSPHRASE, of at least ${MIN_PASSPHRASE_LENGTH} characters, which seals the secrets`,
  );
}

/**
 * Encrypts secrets with AES-256-GCM under a key that scrypt derives.
 * @param backup its id: the text can't be opened as that of another one
 */
export async function sealSecrets(
  secrets: Readonly<Record<string, string>>,
  passphrase: string,
  backup: string,
): Promise<Buffer> {
  const [salt, nonce] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES)];
  const cipher = createCipheriv('aes-256-gcm', await derive(passphrase, salt, KEY_BYTES, COST), nonce);
  cipher.setAAD(Buffer.from(backup));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]);
  const parts = { salt, nonce, tag: cipher.getAuthTag(), sealed };
  const texts = Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64')]);
  return Buffer.from(JSON.stringify({ version: 1, ...Object.fromEntries(texts) }, null, 2));
}

/** @throws BackupError for another passphrase or a changed text */
export async function openSecrets(
  content: unknown,
  passphrase: string,
  backup: string,
): Promise<Record<string, string>> {
  const { data } = schema.safeParse(content);
  if (!data) throw new BackupError('the sealed secrets are missing or damaged');
  const bytes = (text: string) => Buffer.from(text, 'base64');
  const key = await derive(passphrase, bytes(data.salt), KEY_BYTES, COST);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(data.nonce));
    decipher.setAAD(Buffer.from(backup)).setAuthTag(bytes(data.tag));
    const text = Buffer.concat([decipher.update(bytes(data.sealed)), decipher.final()]).toString('utf8');
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch (cause) {
    throw new BackupError('the passphrase does not open the secrets of the backup', { cause });
  }
}
