import type { OffersView } from '../../billing/plans/offers';
import type { ModalRegistry } from '../../modals/catalogue';
import type { LoginDone } from '../login/login-flow';
import { onboardingAddress } from './onboarding-address';
import type { OnboardingOptions } from './steps';

declare module '../../modals/catalogue' {
  interface ModalCatalogue {
    /** Log in, then the paywall. `member` is null before the login, `offers` until loaded. */
    readonly 'user:onboarding': Modal<
      OnboardingOptions & {
        readonly previousAction: string | null;
        readonly member: LoginDone | null;
        readonly offers: OffersView | null;
      },
      'loggedIn' | 'finished'
    >;
  }
}

export const ONBOARDING_MODALS: ModalRegistry<'user:onboarding'> = {
  'user:onboarding': {
    address: onboardingAddress,
    load: async () => (await import('./onboarding-modal')).OnboardingModal,
    sections: ['onboarding', 'tiers'],
  },
};
