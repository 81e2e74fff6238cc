import type { ModalRegistry } from '../modals/catalogue';
import { type AccountSection, accountAddress } from './view/account-tabs';
import type { ErasureView } from './view/account-view';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** Whether news and offers may be mailed. */
    readonly 'consent:marketing': Modal<NoProps, 'accepted' | 'notAccepted'>;
    /** Offered to Business once there is a tab for keys. */
    readonly 'plugin-key:offer': Modal<NoProps, 'retrieve' | 'later'>;
    readonly 'user:account': Modal<{ readonly tab: AccountSection }, never>;
    /** States what erasing the account loses, and asks for confirmation. */
    readonly 'account:erase': Modal<{ readonly erasure: ErasureView }, 'kept'>;
  }
}

export const ACCOUNT_MODALS: ModalRegistry<
  'user:account' | 'account:erase' | 'consent:marketing' | 'plugin-key:offer'
> = {
  'plugin-key:offer': {
    address: () => '/account/plugin-key/offer',
    load: async () => (await import('./plugin-key/plugin-key-offer')).PluginKeyOffer,
    sections: ['account'],
  },
  'consent:marketing': {
    address: () => '/consents/marketing',
    load: async () => (await import('./consent/consent-modal')).MarketingConsentModal,
    sections: ['account'],
  },
  'user:account': {
    address: ({ tab }) => accountAddress(tab),
    load: async () => (await import('./account-modal')).AccountModal,
    sections: ['account'],
    size: 'wide',
  },
  'account:erase': {
    address: () => '/account/erase',
    load: async () => (await import('./erasure/erase-modal')).EraseModal,
    sections: ['account'],
  },
};
