import { useLocation } from '@remix-run/react';
import { useCallback } from 'react';
import { keepLanding } from '../../../http/landing';
import { useModalFrame } from '../../../ui/modal/modal-frame';
import { useAppNavigate } from '../../../ui/page/app-link';
import { announceVisitor } from '../visitor/visitor-news';
import { destinationIn } from './login-address';
import type { LoginDone } from './login-flow';

/**
 * What comes after somebody has signed in. The page that a modal is over stays, with all that is going on in it, and
 * learns who is there now; a page of its own gives way to the one that they came from.
 */
export function useAfterLogin() {
  const { place } = useModalFrame();
  const { search } = useLocation();
  const navigate = useAppNavigate();
  return useCallback(
    async ({ next }: LoginDone, close: () => Promise<void>): Promise<void> => {
      if (place === 'page') {
        window.location.replace(keepLanding(next ?? destinationIn(search), search));
        return;
      }
      await close();
      announceVisitor();
      if (next) navigate(next);
    },
    [place, search, navigate],
  );
}
