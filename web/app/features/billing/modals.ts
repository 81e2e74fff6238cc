import type { ModalRegistry } from '../modals/catalogue';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** `until`: formatted end of the subscription; null: at once. */
    readonly 'subscription:cancel': Modal<{ readonly until: string | null }, 'kept'>;
  }
}

export const SUBSCRIPTION_MODALS: ModalRegistry<'subscription:cancel'> = {
  'subscription:cancel': {
    address: () => '/account/subscription/cancel',
    load: async () => (await import('./subscription/cancel-modal')).CancelModal,
    sections: ['account'],
  },
};
