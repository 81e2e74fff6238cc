import { DEFAULT_PREFERENCES, type User } from '@clearframe/contract';
import type { AppLoadContext } from '@remix-run/node';
import { setGuestCookie } from '../app/session/session.server';
import { createGuest, startMemberSession } from '../app/session/visitor.server';
import { cookieHeader, nextContext } from './context';

const NEVER_SUBSCRIBED: User['monetization'] = {
  trialAvailable: true,
  hasIncompleteSubscription: false,
  isSubscribed: false,
  subscriptionIncludesTrial: false,
  subscriptionWithIntroPrice: false,
  subscriptionProvider: null,
  subscriptionId: null,
  priceId: null,
  introAvailable: true,
  openSubscription: null,
};

const ID = '6f7d2c0b-9aa6-4a2b-bcbd-a6a2b0974326';

export const ADA: User = {
  id: 'firebase-1',
  webUserId: ID,
  backendId: ID,
  firebaseUid: 'firebase-1',
  isGuest: false,
  role: 'base',
  email: 'ada@example.com',
  source: 'apple',
  createdAt: '2026-03-31T23:30:00.000Z',
  isFree: false,
  availableCredits: 0,
  mobileOracleBackendId: null,
  marketingConsent: false,
  imageTrainingConsent: false,
  nextRenewImageDownloadLimitsDatetime: null,
  giftCode: null,
  preferences: DEFAULT_PREFERENCES,
  monetization: NEVER_SUBSCRIBED,
  limits: { exports: 0, exportsUsed: 0 },
};

/** The cookies of a member after the login. */
export async function memberCookie(context: AppLoadContext): Promise<string> {
  const login = nextContext(context);
  await startMemberSession('token', ADA, { request: new Request('http://clearframe.test/'), context: login });
  return cookieHeader(login.cookies);
}

/** The cookie of a guest of the backend. */
export async function newGuestCookie(context: AppLoadContext): Promise<string> {
  const visit = nextContext(context);
  await createGuest(new Request('http://clearframe.test/'), visit);
  return cookieHeader(visit.cookies);
}

export async function guestCookieOf(token: string, context: AppLoadContext): Promise<string> {
  const visit = nextContext(context);
  await setGuestCookie(token, visit);
  return cookieHeader(visit.cookies);
}
