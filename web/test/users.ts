import { DEFAULT_PREFERENCES, type User } from '@clearframe/contract';

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
