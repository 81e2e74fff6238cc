import { useCallback } from 'react';
import { useModals } from '../../modals/modals';
import { askForConsent } from './ask-for-consent';

/** Asks a member whether models may be trained on their photos; for the moment after a download has started. */
export function useImageTrainingQuestion(): () => void {
  const { open } = useModals();
  return useCallback(() => void askForConsent('imageTraining', open), [open]);
}
