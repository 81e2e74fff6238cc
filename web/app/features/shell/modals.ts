import type { ModalRegistry } from '../modals/definition';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** Chooses the language of the pages. */
    readonly language: Modal<NoProps, 'chosen'>;
  }
}

export const SHELL_MODALS: ModalRegistry<'language'> = {
  language: {
    address: () => '/language',
    load: async () => (await import('./language-modal')).LanguageModal,
    size: 'wide',
  },
};
