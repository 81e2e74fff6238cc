import type { ModalRegistry } from '../modals/catalogue';
import { type UploadError, uploadErrorAddress } from './decision/upload-error';

declare module '../modals/catalogue' {
  interface ModalCatalogue {
    /** 'Upload media error' (spec 1, section 2). `goOn`: with the rest of the files; `choose`: other files. */
    readonly 'upload:error': Modal<UploadError, 'gotIt' | 'goOn' | 'choose'>;
  }
}

export const UPLOAD_MODALS: ModalRegistry<'upload:error'> = {
  'upload:error': {
    address: uploadErrorAddress,
    load: async () => (await import('./error/upload-error')).UploadErrorModal,
  },
};
