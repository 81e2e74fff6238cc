import type { ModalRegistry } from './features/modals/definition';

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
  'gallery:modal': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/modals/gallery-modal')).GalleryModal,
  },
  'gallery:modal[prevent-pop]': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./features/modals/gallery-modal')).GalleryModal,
  },
};
