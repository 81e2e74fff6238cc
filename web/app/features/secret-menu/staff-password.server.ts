import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { inMilliseconds } from '@clearframe/contract';
import { type AppLoadContext, createCookie } from '@remix-run/node';
import { SECRET_MENU_ADDRESS } from './secret-menu-view';

/** Time after which the menu asks for the password again. */
const OPEN_MS = inMilliseconds.minutes(15);
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

const keyFor = ({ settings }: AppLoadContext): Buffer =>
  Buffer.from(hkdfSync('sha256', settings.cookieSecret, '', 'staff password', 32));

function seal(text: string, context: AppLoadContext): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyFor(context), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws for a text that was not sealed with this server's secret */
function unseal(text: string, context: AppLoadContext): string {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv(CIPHER, keyFor(context), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** The cookie is sent to the menu only: the page with its parts, and its data for navigations by script. */
const PATHS = [SECRET_MENU_ADDRESS, `${SECRET_MENU_ADDRESS}.data`];

const cookieFor = ({ settings }: AppLoadContext) =>
  createCookie('clearframe_staff', {
    // Never sent with a link from another site.
    sameSite: 'strict',
    httpOnly: true,
    secure: settings.publicUrl.protocol === 'https:',
  });

/** The password, sealed: neither the browser's scripts nor its storage can read it. */
export async function setPassword(password: string, context: AppLoadContext): Promise<void> {
  const sealed = seal(`${Date.now() + OPEN_MS}:${password}`, context);
  await setCookies(sealed, OPEN_MS / 1000, context);
}

export const forgetPassword = (context: AppLoadContext): Promise<void> => setCookies('', 0, context);

async function setCookies(value: string, maxAge: number, context: AppLoadContext): Promise<void> {
  for (const path of PATHS) context.setCookie(await cookieFor(context).serialize(value, { path, maxAge }));
}

/** Null when the menu was not opened, or too long ago. */
export async function passwordIn(request: Request, context: AppLoadContext): Promise<string | null> {
  const sealed: unknown = await cookieFor(context).parse(request.headers.get('cookie'));
  if (typeof sealed !== 'string' || sealed === '') return null;
  try {
    const [, until = '', password = ''] = /^(\d+):(.*)$/s.exec(unseal(sealed, context)) ?? [];
    return Number(until) > Date.now() ? password : null;
  } catch {
    return null;
  }
}
