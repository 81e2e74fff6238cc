import type { ModalRegistry } from '../modals/catalogue';
import { type OfferProps, offerAddress } from './offer/offer-address';
import { type PaywallProps, paywallAddress } from './paywall/paywall-address';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** `until`: formatted end of the subscription; null: at once. */
    readonly 'subscription:cancel': Modal<{ readonly until: string | null }, 'kept'>;
    /** Call to action for a plan (spec 1, section 2). */
    readonly offer: Modal<OfferProps, 'single' | 'tryPhoto' | 'tryOut' | 'logIn'>;
    readonly paywall: Modal<PaywallProps, 'later'>;
  }
}

export const SUBSCRIPTION_MODALS: ModalRegistry<'subscription:cancel' | 'offer' | 'paywall'> = {
  'subscription:cancel': {
    address: () => '/account/subscription/cancel',
    load: async () => (await import('./subscription/cancel-modal')).CancelModal,
    sections: ['account'],
  },
  offer: {
    address: offerAddress,
    load: async () => (await import('./offer/offer-modal')).OfferModal,
    sections: ['tiers'],
  },
  paywall: {
    address: paywallAddress,
    load: async () => (await import('./paywall/paywall')).Paywall,
    sections: ['tiers'],
    size: 'side',
  },
};
