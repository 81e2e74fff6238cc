/** Set by other features. */
export interface OnboardingParts {
  /** Asks a new member who dismissed the paywall for marketing consent; null: doesn't ask. */
  readonly checkMarketingConsent: (() => unknown) | null;
}

export const ONBOARDING_PARTS: OnboardingParts = { checkMarketingConsent: null };
