/** What other features put into the get-started modal. */
export interface OnboardingParts {
  /** Asks somebody new who has dismissed the paywall whether they want mail, if that is to be asked. */
  readonly checkMarketingConsent: (() => unknown) | null;
}

/** Null until another feature asks. */
export const ONBOARDING_PARTS: OnboardingParts = { checkMarketingConsent: null };
