import type { IdentityScenario } from '@clearframe/contract';

/** Tokens that are out of the ordinary; the backend has to notice. */
export const TOKEN_SCENARIOS = [
  'expired',
  'other_key',
  'other_audience',
  'other_issuer',
  'unsigned',
  'anonymous',
  'disabled',
  'unverified_email',
  'unavailable',
] as const satisfies readonly IdentityScenario[];

/** Failures of the provider or the browser, acted out before there is a token. */
export const PROVIDER_SCENARIOS = {
  account_exists: 'auth/account-exists-with-different-credential',
  email_in_use: 'auth/account-exists-with-different-credential',
  storage_unsupported: 'auth/web-storage-unsupported',
  network: 'auth/network-request-failed',
  too_many_requests: 'auth/too-many-requests',
  user_disabled: 'auth/user-disabled',
  unforeseen: 'auth/something-new',
} as const;

export type ProviderScenario = keyof typeof PROVIDER_SCENARIOS;

export const isProviderScenario = (text: string): text is ProviderScenario => Object.hasOwn(PROVIDER_SCENARIOS, text);

export const tokenScenarioOf = (text: string): IdentityScenario | undefined =>
  TOKEN_SCENARIOS.find((scenario) => scenario === text);
