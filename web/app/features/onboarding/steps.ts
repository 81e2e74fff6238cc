import type { Role } from '@clearframe/contract';

export type OnboardingStep = 'login' | 'paywall';

export interface OnboardingOptions {
  /** Ends after the login. */
  readonly loginOnly: boolean;
  /** Begins with the login also for somebody who is logged in. */
  readonly forceLogin: boolean;
}

interface PaywallFacts {
  readonly options: OnboardingOptions;
  readonly role: Role;
  /** The address has a code to redeem: whoever brings one is not sold anything. */
  readonly hasRedeemCode: boolean;
}

/** Those who pay nothing regularly; bought downloads make nobody a subscriber (spec 1, section 6). */
const BASE_ROLES: readonly Role[] = ['base', 'credits'];

/** Whether the paywall comes after the login (spec 1, sections 2 and 5). */
export const needsPaywall = ({ options, role, hasRedeemCode }: PaywallFacts): boolean =>
  !options.loginOnly && !hasRedeemCode && BASE_ROLES.includes(role);

/**
 * Where the modal begins; null: there is nothing to do in it.
 * @param member null for somebody who is not logged in
 */
export function firstStep(
  member: { readonly role: Role } | null,
  facts: Omit<PaywallFacts, 'role'>,
): OnboardingStep | null {
  if (!member || facts.options.forceLogin) return 'login';
  return needsPaywall({ ...facts, role: member.role }) ? 'paywall' : null;
}

/** Of who came so recently, the marketing consent is asked for when they dismiss the paywall (spec 1, section 9). */
const NEWCOMER_WINDOW_MS = 60_000;

/** @param createdAt ISO 8601; @param now milliseconds since 1970 */
export function isNewcomer(createdAt: string, now: number): boolean {
  const age = now - Date.parse(createdAt);
  return age < NEWCOMER_WINDOW_MS;
}
