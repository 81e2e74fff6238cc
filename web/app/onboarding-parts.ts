import type { OnboardingParts } from './features/onboarding/parts';

/** What other features put into the get-started modal. Null until there is such a thing: the step is left out then. */
export const ONBOARDING_PARTS: OnboardingParts = { loadPaywall: null, checkMarketingConsent: null };
