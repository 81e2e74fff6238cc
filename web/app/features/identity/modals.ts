import type { LoginProvider } from '@clearframe/contract';
import type { ModalRegistry } from '../modals/catalogue';
import type { FailureMessage } from './client/failures';
import { linkingAddress } from './login/login-address';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'user:login': Modal<{ readonly problem: FailureMessage | null; readonly isStep?: boolean }, 'loggedIn'>;
    /** The account exists under another provider; `original` is null when unknown. */
    readonly 'login:linking': Modal<
      { readonly attempted: LoginProvider; readonly original: LoginProvider | null },
      LoginProvider
    >;
    readonly 'login:different-email': Modal<{ readonly provider: LoginProvider | null }, 'link' | 'keepApart'>;
    readonly 'login:linking-failed': Modal<NoProps, 'gotIt'>;
    readonly 'login:not-supported': Modal<NoProps, 'gotIt'>;
  }
}

export const LOGIN_MODALS: ModalRegistry<
  'user:login' | 'login:linking' | 'login:different-email' | 'login:linking-failed' | 'login:not-supported'
> = {
  'user:login': {
    address: () => '/login',
    load: async () => (await import('./login/view/login-modal')).LoginModal,
    sections: ['onboarding'],
  },
  'login:linking': {
    address: ({ attempted, original }) => linkingAddress(attempted, original),
    load: async () => (await import('./login/view/linking-modals')).LinkingModal,
    sections: ['onboarding'],
  },
  'login:different-email': {
    address: () => '/login/different-email',
    load: async () => (await import('./login/view/linking-modals')).DifferentEmailModal,
    sections: ['onboarding'],
  },
  'login:linking-failed': {
    address: () => '/login/linking-failed',
    load: async () => (await import('./login/view/linking-modals')).LinkingFailedModal,
    sections: ['onboarding'],
  },
  'login:not-supported': {
    address: () => '/login/not-supported',
    load: async () => (await import('./login/view/linking-modals')).NotSupportedModal,
    sections: ['onboarding'],
  },
};
