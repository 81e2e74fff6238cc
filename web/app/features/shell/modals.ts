import type { ModalRegistry } from '../modals/catalogue';
import type { AboutTopic } from './about/about-topics';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly about: Modal<{ readonly topic: AboutTopic }, 'gotIt'>;
    readonly language: Modal<NoProps, 'chosen'>;
  }
}

export const SHELL_MODALS: ModalRegistry<'about' | 'language'> = {
  about: {
    address: ({ topic }) => `/about/${topic}`,
    load: async () => (await import('./about/about')).AboutModal,
    size: 'wide',
  },
  language: {
    address: () => '/language',
    load: async () => (await import('./language/language-modal')).LanguageModal,
    size: 'wide',
  },
};
