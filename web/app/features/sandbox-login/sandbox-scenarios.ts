import { IDENTITY_SCENARIOS } from '@clearframe/contract';

/** Failures before a token is issued. */
export const PROVIDER_FAILURES = {
  account_exists: 'auth/account-exists-with-different-credential',
  email_in_use: 'auth/account-exists-with-different-credential',
  storage_unsupported: 'auth/web-storage-unsupported',
  network: 'auth/network-request-failed',
  too_many_requests: 'auth/too-many-requests',
  user_disabled: 'auth/user-disabled',
  unforeseen: 'auth/something-new',
} as const;

export type ProviderScenario = keyof typeof PROVIDER_FAILURES;

export const PROVIDER_SCENARIOS = Object.keys(PROVIDER_FAILURES) as ProviderScenario[];

export const SCENARIOS = [...PROVIDER_SCENARIOS, ...IDENTITY_SCENARIOS] as const;
export type Scenario = (typeof SCENARIOS)[number];

export const isProviderScenario = (scenario: Scenario): scenario is ProviderScenario =>
  Object.hasOwn(PROVIDER_FAILURES, scenario);
