import type { ErrorCode } from '@clearframe/contract';
import type { ModalRegistry } from '../modals/catalogue';
import { type ForfeitProps, forfeitAddress } from './forfeit/forfeit-address';
import { type OfferProps, offerAddress } from './offer/offer-address';
import { type PaywallProps, paywallAddress } from './paywall/paywall-address';
import { cancelAddress, type SubscriptionKey } from './subscription/cancel-address';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** `until`: formatted end of the subscription; null: at once. `other`: not the one that grants the plan. `problem`: why
     * the last try failed. */
    readonly 'subscription:cancel': Modal<
      { readonly until: string | null; readonly other: SubscriptionKey | null; readonly problem?: ErrorCode | null },
      'kept'
    >;
    readonly offer: Modal<OfferProps, 'single' | 'tryPhoto' | 'tryOut' | 'logIn'>;
    readonly 'billing:forfeit': Modal<ForfeitProps, 'kept'>;
    readonly redeemed: Modal<{ readonly until: string | null }, never>;
    readonly paywall: Modal<PaywallProps, 'later'>;
  }
}

export const SUBSCRIPTION_MODALS: ModalRegistry<
  'subscription:cancel' | 'offer' | 'paywall' | 'billing:forfeit' | 'redeemed'
> = {
  'billing:forfeit': {
    address: forfeitAddress,
    load: async () => (await import('./forfeit/forfeit-modal')).ForfeitModal,
    sections: ['tiers'],
  },
  redeemed: {
    address: () => '/redeem/done',
    load: async () => (await import('./redeem/redeemed')).Redeemed,
    sections: ['account'],
  },
  'subscription:cancel': {
    address: ({ other }) => cancelAddress(other),
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
