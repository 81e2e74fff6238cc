import type { Role } from '@clearframe/contract';

export type OnboardingStep = 'login' | 'paywall';

export interface OnboardingOptions {
  /** Ends after the login. */
  readonly loginOnly: boolean;
  /** Starts with the login even for a member. */
  readonly forceLogin: boolean;
}

interface PaywallConditions {
  readonly options: OnboardingOptions;
  readonly role: Role;
  /** A gift code in the URL replaces the paywall. */
  readonly hasRedeemCode: boolean;
}

/** Roles without a subscription (spec 1, section 6). */
const BASE_ROLES: readonly Role[] = ['base', 'credits'];

/** Whether the paywall comes after the login (spec 1, sections 2 and 5). */
export const needsPaywall = ({ options, role, hasRedeemCode }: PaywallConditions): boolean =>
  !options.loginOnly && !hasRedeemCode && BASE_ROLES.includes(role);

/** @param member null for a guest */
export function firstStep(
  member: { readonly role: Role } | null,
  conditions: Omit<PaywallConditions, 'role'>,
): OnboardingStep | null {
  if (!member || conditions.options.forceLogin) return 'login';
  return needsPaywall({ ...conditions, role: member.role }) ? 'paywall' : null;
}

/** Accounts of up to this age are asked for marketing consent on dismissal (spec 1, section 9). */
const NEWCOMER_WINDOW_MS = 60_000;

/** @param createdAt ISO 8601; @param now milliseconds since 1970 */
export function isNewcomer(createdAt: string, now: number): boolean {
  const age = now - Date.parse(createdAt);
  return age < NEWCOMER_WINDOW_MS;
}
