/** What other features put into the get-started modal. */
export interface OnboardingParts {
  /** Asks a new member who has dismissed the paywall for marketing consent. */
  readonly checkMarketingConsent: (() => unknown) | null;
}

/** Null until another feature asks. */
export const ONBOARDING_PARTS: OnboardingParts = { checkMarketingConsent: null };
