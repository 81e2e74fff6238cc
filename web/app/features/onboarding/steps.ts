import type { Role } from '@clearframe/contract';
import { hasNoPlan } from '../login/newcomer';

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

/** Whether the paywall comes after the login (spec 1, sections 2 and 5). */
export const needsPaywall = ({ options, role, hasRedeemCode }: PaywallConditions): boolean =>
  !options.loginOnly && !hasRedeemCode && hasNoPlan(role);

export function firstStep(
  member: { readonly role: Role } | null,
  conditions: Omit<PaywallConditions, 'role'>,
): OnboardingStep | null {
  if (!member || conditions.options.forceLogin) return 'login';
  return needsPaywall({ ...conditions, role: member.role }) ? 'paywall' : null;
}
