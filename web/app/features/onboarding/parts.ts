import type { ComponentType } from 'react';

export interface PaywallStepProps {
  /** What led there, for the events. */
  readonly previousAction: string | null;
  /** To be called once what is on offer is on the screen. */
  readonly onShown: (priceIds: readonly string[]) => void;
  /** To be called when a plan has been chosen, or the rest is done elsewhere: this is no dismissal. */
  readonly onDone: () => void;
}

/** What the get-started modal is made of beside the login. */
export interface OnboardingParts {
  /** Fetches the paywall, which makes it the second step. */
  readonly loadPaywall: (() => Promise<ComponentType<PaywallStepProps>>) | null;
  /** Asks somebody new who has dismissed the paywall whether they want mail, if that is to be asked. */
  readonly checkMarketingConsent: (() => unknown) | null;
}
