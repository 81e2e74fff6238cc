import type { ModalRegistry } from '../modals/catalogue';
import type { UploadErrorProps } from './error/upload-error-reasons';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** 'Upload media error' (spec 1, section 2). */
    readonly 'upload:error': Modal<UploadErrorProps, 'gotIt'>;
  }
}

export const UPLOAD_MODALS: ModalRegistry<'upload:error'> = {
  'upload:error': {
    address: ({ reason }) => `/upload-error/${reason}`,
    load: async () => (await import('./error/upload-error')).UploadErrorModal,
  },
};
