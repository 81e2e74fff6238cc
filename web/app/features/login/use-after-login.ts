import { useLocation } from '@remix-run/react';
import { useCallback } from 'react';
import { preserveVersionParam } from '../../http/internal-address';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { useAppNavigate } from '../../ui/page/app-link';
import { destinationIn } from './login-address';
import type { LoginDone } from './login-flow';
import { destinationAfterLogin } from './newcomer';
import { broadcastVisitorChange } from './visitor-updates';

/** The page below a modal stays and reloads its data; the login page leads to the return address. */
export function useAfterLogin() {
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const navigate = useAppNavigate();
  return useCallback(
    async (done: LoginDone, close: () => Promise<void>): Promise<void> => {
      const { next } = done;
      if (mode === 'page') {
        const destination = next ?? destinationAfterLogin(done, destinationIn(search));
        window.location.replace(preserveVersionParam(destination, search));
        return;
      }
      await close();
      broadcastVisitorChange();
      if (next) navigate(next);
    },
    [mode, search, navigate],
  );
}
