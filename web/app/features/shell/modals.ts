import { COOKIES_ADDRESS } from '../../telemetry/consent/answer-state';
import type { ConsentCategory } from '../../telemetry/consent/consent-cookie';
import type { ModalRegistry } from '../modals/catalogue';
import type { AboutTopic } from './about/about-topics';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly about: Modal<{ readonly topic: AboutTopic }, 'gotIt'>;
    /** `agreed` on the page; over a page the script knows them. */
    readonly cookies: Modal<{ readonly agreed?: readonly ConsentCategory[] }, 'chosen'>;
    readonly language: Modal<NoProps, 'chosen'>;
  }
}

export const SHELL_MODALS: ModalRegistry<'about' | 'cookies' | 'language'> = {
  about: {
    address: ({ topic }) => `/about/${topic}`,
    load: async () => (await import('./about/about')).AboutModal,
    size: 'wide',
  },
  cookies: {
    address: () => COOKIES_ADDRESS,
    load: async () => (await import('./cookies/cookies-modal')).CookiesModal,
    sections: ['onboarding'],
  },
  language: {
    address: () => '/language',
    load: async () => (await import('./language/language-modal')).LanguageModal,
    size: 'wide',
  },
};
