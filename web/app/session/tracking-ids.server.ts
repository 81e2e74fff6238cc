import { randomUUID } from 'node:crypto';
import { inSeconds } from '@clearframe/contract';
import { z } from 'zod';
import { consentOf } from './consent.server';
import { plainCookie } from './cookies.server';
import { type Exchange, tokenOf, visitorOf } from './visitor.server';

const Id = z.string().min(1).max(200);

/** Lifetime of identifier cookies (spec 1, section 9). */
const cookieOf = (name: string) => plainCookie(name, inSeconds.days(730), Id);

const COOKIES = {
  /** The browser's. */
  clientId: cookieOf('client_id'),
  /** Of what this person did before and after the login; another one after a logout. */
  anonymousId: cookieOf('anonymous_id'),
  /** The account that the events belong to. */
  trackingUserId: cookieOf('tracking_user_id'),
  /** The id that an external onboarding gave this browser. */
  onboardingLocalStorageId: cookieOf('web_onboarding_local_storage_id'),
} as const;

type IdName = keyof typeof COOKIES;
const NAMES = Object.keys(COOKIES) as IdName[];

export type TrackingIds = Readonly<Record<IdName, string | null>>;

export async function trackingIdsIn(request: Request): Promise<TrackingIds> {
  const ids = await Promise.all(NAMES.map(async (name) => [name, await COOKIES[name].read(request)] as const));
  return Object.fromEntries(ids) as TrackingIds;
}

/**
 * Ids of a visitor who agreed to measurement, completed in the cookies.
 * @param onboardingId the id in the address of an external onboarding, or in an event
 */
export async function keepTrackingIds(exchange: Exchange, onboardingId: string | null = null): Promise<TrackingIds> {
  const stored = await trackingIdsIn(exchange.request);
  const trackingUserId = await memberIdOf(exchange);
  const hasLeft = stored.trackingUserId !== null && stored.trackingUserId !== trackingUserId;
  const ids: TrackingIds = {
    clientId: stored.clientId ?? randomUUID(),
    anonymousId: hasLeft ? randomUUID() : (stored.anonymousId ?? randomUUID()),
    trackingUserId,
    onboardingLocalStorageId: Id.safeParse(onboardingId).data ?? stored.onboardingLocalStorageId,
  };
  await store(ids, stored, exchange);
  return ids;
}

/** With each page: for visitors without JavaScript, too. Before an answer there is nothing to forget. */
export async function updateTrackingIds(exchange: Exchange): Promise<void> {
  const consent = consentOf(exchange.request, exchange.context);
  if (consent?.includes('C0002')) await keepTrackingIds(exchange, onboardingIdIn(new URL(exchange.request.url)));
  else if (consent) await forgetTrackingIds(exchange);
}

const onboardingIdIn = ({ pathname, searchParams }: URL): string | null =>
  pathname === '/onboarding' ? searchParams.get('local_storage_id') : null;

const NO_IDS: TrackingIds = {
  clientId: null,
  anonymousId: null,
  trackingUserId: null,
  onboardingLocalStorageId: null,
};

/** Deletes the ids of a browser that gave no consent or withdrew it. */
export const forgetTrackingIds = async (exchange: Exchange): Promise<void> =>
  store(NO_IDS, await trackingIdsIn(exchange.request), exchange);

async function store(ids: TrackingIds, stored: TrackingIds, { context }: Exchange): Promise<void> {
  for (const name of NAMES) {
    const id = ids[name];
    if (id === stored[name]) continue;
    await (id === null ? COOKIES[name].clear(context) : COOKIES[name].write(id, context));
  }
}

async function memberIdOf({ request, context }: Exchange): Promise<string | null> {
  const { kind } = await visitorOf(request, context);
  return kind === 'member' ? userIdIn(await tokenOf(request, context)) : null;
}

const Claims = z.object({ sub: z.string() });

/** The user of an access token, which the API has verified before. */
export function userIdIn(token: string | null): string | null {
  try {
    const claims = Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString();
    return Claims.parse(JSON.parse(claims)).sub;
  } catch {
    return null;
  }
}
