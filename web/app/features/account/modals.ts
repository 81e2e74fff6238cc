import type { ModalRegistry } from '../modals/catalogue';
import { CONSENT_ADDRESSES, DECLINED_ADDRESS } from './consent/consent-address';
import { revokeAddress } from './plugin-key/key-address';
import { type AccountSection, accountAddress } from './view/account-tabs';
import type { ErasureView } from './view/account-view';
import type { PluginKeyView } from './view/plugin-keys';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'consent:marketing': Modal<NoProps, 'accepted' | 'notAccepted'>;
    readonly 'consent:image-training': Modal<NoProps, 'accepted' | 'notAccepted'>;
    /** Says that nothing changes. */
    readonly 'consent:image-training-declined': Modal<NoProps, 'gotIt'>;
    /** Says that Business includes a key for Photoshop. */
    readonly 'plugin-key:offer': Modal<NoProps, 'retrieve' | 'later'>;
    readonly 'plugin-key:revoke': Modal<Pick<PluginKeyView, 'id' | 'prefix'>, 'revoked' | 'kept'>;
    readonly 'user:account': Modal<{ readonly tab: AccountSection }, never>;
    readonly 'account:erase': Modal<{ readonly erasure: ErasureView }, 'kept'>;
  }
}

export const ACCOUNT_MODALS: ModalRegistry<
  | 'user:account'
  | 'account:erase'
  | 'consent:marketing'
  | 'consent:image-training'
  | 'consent:image-training-declined'
  | 'plugin-key:offer'
  | 'plugin-key:revoke'
> = {
  'plugin-key:offer': {
    address: () => '/account/plugin-key/offer',
    load: async () => (await import('./plugin-key/offer-modal')).PluginKeyOffer,
    sections: ['account'],
  },
  'plugin-key:revoke': {
    address: ({ id }) => revokeAddress(id),
    load: async () => (await import('./plugin-key/revoke-modal')).RevokeKeyModal,
    sections: ['account'],
  },
  'consent:marketing': {
    address: () => CONSENT_ADDRESSES.marketing,
    load: async () => (await import('./consent/consent-modal')).MarketingConsentModal,
    sections: ['account'],
  },
  'consent:image-training': {
    address: () => CONSENT_ADDRESSES.imageTraining,
    load: async () => (await import('./consent/consent-modal')).ImageTrainingConsentModal,
    sections: ['account'],
  },
  'consent:image-training-declined': {
    address: () => DECLINED_ADDRESS,
    load: async () => (await import('./consent/consent-modal')).ImageTrainingDeclinedModal,
    sections: ['account'],
  },
  'user:account': {
    address: ({ tab }) => accountAddress(tab),
    load: async () => (await import('./account-modal')).AccountModal,
    sections: ['account', 'tiers'],
    size: 'tabs',
  },
  'account:erase': {
    address: () => '/account/erase',
    load: async () => (await import('./erasure/erase-modal')).EraseModal,
    sections: ['account'],
  },
};
