import { createHash, randomBytes } from 'node:crypto';
import { inSeconds, type LoginProvider } from '@clearframe/contract';
import { type AppLoadContext, createCookieSessionStorage } from '@remix-run/node';

const LIFETIME = inSeconds.days(30);

interface GuestData {
  /** Bearer token for the backend. Never reaches the browser's script. */
  token: string;
}

interface MemberData extends GuestData {
  /** Who it is, as it was when they signed in: enough for the header, which must not cost a call. */
  email: string | null;
  source: LoginProvider | null;
  /** When they signed in, in milliseconds since 1970. */
  since: number;
}

/** One cookie per backend: a token is worth nothing at another. */
function cookieNameOf(apiUrl: URL, isSecure: boolean): string {
  const backend = createHash('sha256').update(apiUrl.host).digest('hex').slice(0, 8);
  return `${isSecure ? '__Host-' : ''}clearframe_${backend}`;
}

function cookieFor({ settings }: AppLoadContext, suffix: string) {
  const isSecure = settings.publicUrl.protocol === 'https:';
  return {
    name: `${cookieNameOf(settings.apiUrl, isSecure)}${suffix}`,
    secrets: [settings.cookieSecret],
    httpOnly: true,
    sameSite: 'lax' as const,
    secure: isSecure,
    path: '/',
    maxAge: LIFETIME,
  };
}

/** The session of somebody who has not signed in. */
export const guestStorageOf = (context: AppLoadContext) =>
  createCookieSessionStorage<GuestData>({ cookie: cookieFor(context, '') });

const MEMBER = /_member_[0-9a-f]{16}$/;

/** Where one session of somebody who has is kept. */
export interface MemberSession extends MemberData {
  readonly cookieName: string;
}

const memberStorageAt = (cookieName: string, context: AppLoadContext) =>
  createCookieSessionStorage<MemberData>({ cookie: { ...cookieFor(context, ''), name: cookieName } });

/**
 * The sessions of somebody who has signed in, youngest first. They have cookies of their own, which go before the
 * guest's, and one for each login: an answer that was on its way meanwhile, and gives its visitor another guest or
 * forgets a session that is over, must not take the one that has begun since.
 */
export async function memberSessionsIn(cookies: string | null, context: AppLoadContext): Promise<MemberSession[]> {
  const prefix = cookieFor(context, '_member_').name;
  const names = (cookies ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '');
  const found: MemberSession[] = [];
  for (const cookieName of new Set(names.filter((name) => name.startsWith(prefix) && MEMBER.test(name)))) {
    const {
      token,
      email = null,
      source = null,
      since = 0,
    } = (await memberStorageAt(cookieName, context).getSession(cookies)).data;
    if (token) found.push({ cookieName, token, email, source, since });
  }
  return found.sort((one, other) => other.since - one.since);
}

/** @returns the cookie that keeps a session */
export async function openMemberSession(data: MemberData, context: AppLoadContext): Promise<string> {
  const storage = memberStorageAt(cookieFor(context, `_member_${randomBytes(8).toString('hex')}`).name, context);
  const session = await storage.getSession();
  for (const [key, value] of Object.entries(data)) session.set(key as keyof MemberData, value);
  return storage.commitSession(session);
}

/** @returns what takes the cookie of a session away */
export async function closeMemberSession({ cookieName }: MemberSession, context: AppLoadContext): Promise<string> {
  const storage = memberStorageAt(cookieName, context);
  return storage.destroySession(await storage.getSession());
}
