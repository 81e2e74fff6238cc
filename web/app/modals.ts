import { accountAddress } from './features/account/account-tabs';
import { linkingAddress } from './features/login/login-address';
import type { ModalRegistry } from './features/modals/definition';
import { onboardingAddress } from './features/onboarding/onboarding-address';

/** Where each modal's contents and its page are. What belongs to later features is added here and in the catalogue. */
export const MODALS: ModalRegistry = {
  language: {
    address: () => '/language',
    load: async () => (await import('./features/shell/language-modal')).LanguageModal,
    size: 'wide',
  },
  about: {
    address: ({ topic }) => `/about/${topic}`,
    load: async () => (await import('./features/modals/about')).AboutModal,
    size: 'wide',
  },
  'upload:error': {
    address: ({ reason }) => `/upload-error/${reason}`,
    load: async () => (await import('./features/modals/upload-error')).UploadErrorModal,
  },
  'user:login': {
    address: () => '/login',
    load: async () => (await import('./features/login/login-modal')).LoginModal,
    sections: ['onboarding'],
  },
  'user:onboarding': {
    address: onboardingAddress,
    load: async () => (await import('./features/onboarding/onboarding-modal')).OnboardingModal,
    sections: ['onboarding', 'tiers'],
  },
  'login:linking': {
    address: ({ attempted, original }) => linkingAddress(attempted, original),
    load: async () => (await import('./features/login/linking-modals')).LinkingModal,
    sections: ['onboarding'],
  },
  'login:different-email': {
    address: () => '/login/different-email',
    load: async () => (await import('./features/login/linking-modals')).DifferentEmailModal,
    sections: ['onboarding'],
  },
  'login:linking-failed': {
    address: () => '/login/linking-failed',
    load: async () => (await import('./features/login/linking-modals')).LinkingFailedModal,
    sections: ['onboarding'],
  },
  'login:not-supported': {
    address: () => '/login/not-supported',
    load: async () => (await import('./features/login/linking-modals')).NotSupportedModal,
    sections: ['onboarding'],
  },
  'user:account': {
    address: ({ tab }) => accountAddress(tab),
    load: async () => (await import('./features/account/account-modal')).AccountModal,
    sections: ['account'],
    size: 'wide',
  },
  'account:erase': {
    address: () => '/account/erase',
    load: async () => (await import('./features/account/erase-modal')).EraseModal,
    sections: ['account'],
  },
  'subscription:cancel': {
    address: () => '/account/subscription/cancel',
    load: async () => (await import('./features/subscription/cancel-modal')).CancelModal,
    sections: ['account'],
  },
  'history:delete': {
    address: ({ taskIds }) => `/history/delete?${new URLSearchParams(taskIds.map((id) => ['taskId', id]))}`,
    load: async () => (await import('./features/history/delete-modal')).DeleteModal,
    sections: ['account'],
  },
  'gallery:modal': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/modals/gallery-modal')).GalleryModal,
  },
  'gallery:modal[prevent-pop]': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/modals/gallery-modal')).GalleryModal,
  },
};
