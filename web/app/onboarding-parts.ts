import type { OnboardingParts } from './features/onboarding/parts';

/** What other features put into the get-started modal. Null until there is such a thing. */
export const ONBOARDING_PARTS: OnboardingParts = { checkMarketingConsent: null };
