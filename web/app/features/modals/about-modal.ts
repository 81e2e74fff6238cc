import type { ModalRegistry } from './definition';

export const ABOUT_MODAL: ModalRegistry<'about'> = {
  about: {
    address: ({ topic }) => `/about/${topic}`,
    load: async () => (await import('./about')).AboutModal,
    size: 'wide',
  },
};
