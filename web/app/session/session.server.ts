import { createHash, randomBytes } from 'node:crypto';
import { inSeconds, type LoginProvider } from '@clearframe/contract';
import { type AppLoadContext, createCookie, createCookieSessionStorage } from '@remix-run/node';

/** Equals the backend's session lifetime. */
const SESSION_SECONDS = inSeconds.days(30);
/** Longer than any response takes. */
const ENDED_MARKER_SECONDS = inSeconds.hours(1);

interface GuestData {
  /** Bearer token for the backend; not readable by scripts. */
  token: string;
  /** When the token was issued, in milliseconds since 1970. */
  renewedAt: number;
}

interface MemberData extends GuestData {
  /** Stored at login, so that the header needs no API call. */
  email: string | null;
  source: LoginProvider | null;
  /** Time of the login, in milliseconds since 1970. */
  since: number;
}

/** One cookie per backend: tokens are valid at their backend only. */
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
    maxAge: SESSION_SECONDS,
  };
}

export const guestStorageOf = (context: AppLoadContext) =>
  createCookieSessionStorage<GuestData>({ cookie: cookieFor(context, '') });

export async function setGuestCookie(token: string, context: AppLoadContext): Promise<void> {
  const storage = guestStorageOf(context);
  const session = await storage.getSession();
  session.set('token', token);
  session.set('renewedAt', Date.now());
  context.setCookie(await storage.commitSession(session));
}

const MEMBER_COOKIE = /_member_([0-9a-f]{16})$/;

export interface MemberSession extends MemberData {
  readonly cookieName: string;
}

const memberStorageAt = (cookieName: string, context: AppLoadContext) =>
  createCookieSessionStorage<MemberData>({ cookie: { ...cookieFor(context, ''), name: cookieName } });

/** Marks a login as ended, so that a late renewal can't restore it. */
const endedCookieOf = (id: string, context: AppLoadContext) =>
  createCookie(cookieFor(context, `_ended_${id}`).name, {
    ...cookieFor(context, ''),
    secrets: undefined,
    maxAge: ENDED_MARKER_SECONDS,
  });

function memberCookiesIn(cookies: string | null, context: AppLoadContext) {
  const names = new Set((cookies ?? '').split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? ''));
  const prefix = cookieFor(context, '_member_').name;
  const found = [...names].filter((name) => name.startsWith(prefix) && MEMBER_COOKIE.test(name));
  const hasEnded = (name: string) => names.has(endedCookieOf(idOf(name), context).name);
  return { open: found.filter((name) => !hasEnded(name)), ended: found.filter(hasEnded) };
}

const idOf = (cookieName: string): string => MEMBER_COOKIE.exec(cookieName)?.[1] ?? '';

/**
 * Newest first; they take precedence over the guest session. Each login has its own cookie, so that a late response
 * can't remove a newer login.
 */
export async function memberSessionsIn(cookies: string | null, context: AppLoadContext): Promise<MemberSession[]> {
  const found: MemberSession[] = [];
  for (const cookieName of memberCookiesIn(cookies, context).open) {
    const {
      token,
      email = null,
      source = null,
      since = 0,
      renewedAt = 0,
    } = (await memberStorageAt(cookieName, context).getSession(cookies)).data;
    if (token) found.push({ cookieName, token, email, source, since, renewedAt });
  }
  return found.sort((one, other) => other.since - one.since);
}

export const openMemberSession = (data: MemberData, context: AppLoadContext): Promise<void> =>
  writeMemberSession(cookieFor(context, `_member_${randomBytes(8).toString('hex')}`).name, data, context);

export const renewMemberSession = (
  { cookieName, ...data }: MemberSession,
  token: string,
  context: AppLoadContext,
): Promise<void> => writeMemberSession(cookieName, { ...data, token, renewedAt: Date.now() }, context);

async function writeMemberSession(cookieName: string, data: MemberData, context: AppLoadContext): Promise<void> {
  const storage = memberStorageAt(cookieName, context);
  const session = await storage.getSession();
  for (const [key, value] of Object.entries(data)) session.set(key as keyof MemberData, value);
  context.setCookie(await storage.commitSession(session));
}

/** Removes a login and marks it as ended. */
export async function closeMemberSession({ cookieName }: MemberSession, context: AppLoadContext): Promise<void> {
  await destroyCookie(cookieName, context);
  context.setCookie(await endedCookieOf(idOf(cookieName), context).serialize('1'));
}

/** Removes ended logins that a late response restored. */
export async function dropEndedSessions(cookies: string | null, context: AppLoadContext): Promise<void> {
  for (const name of memberCookiesIn(cookies, context).ended) await destroyCookie(name, context);
}

async function destroyCookie(cookieName: string, context: AppLoadContext): Promise<void> {
  const storage = memberStorageAt(cookieName, context);
  context.setCookie(await storage.destroySession(await storage.getSession()));
}
