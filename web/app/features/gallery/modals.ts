import type { ModalRegistry } from '../modals/catalogue';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    readonly 'gallery:modal': Modal<NoProps, 'yes' | 'no'>;
    readonly 'gallery:modal[prevent-pop]': Modal<NoProps, 'yes' | 'no'>;
  }
}

export const GALLERY_MODALS: ModalRegistry<'gallery:modal' | 'gallery:modal[prevent-pop]'> = {
  'gallery:modal': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./gallery-modal')).GalleryModal,
  },
  'gallery:modal[prevent-pop]': {
    address: () => '/ui/modals/modal',
    load: async () => (await import('./gallery-modal')).GalleryModal,
  },
};
