import { useCallback } from 'react';
import { useModals } from '../../modals/modals';
import type { UploadErrorReason } from '../error/upload-error-reasons';

/** Says in a modal why a picture can't be sent. Settles when the visitor has read it. */
export function useUploadErrorModal(): (reason: UploadErrorReason) => Promise<void> {
  const { open } = useModals();
  return useCallback(
    async (reason) => {
      await open('upload:error', { reason });
    },
    [open],
  );
}
