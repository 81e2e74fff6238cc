import type { LoginProvider } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useRootData } from '../../session/root-data';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { useModals } from '../modals/modals';
import type { IdentityClient } from './identity-client';
import { loadIdentityClient } from './load-identity-client';
import { destinationIn } from './login-address';
import { type LoginDone, type LoginOutcome, type LoginProblem, logIn, logInWith } from './login-flow';

export function useLogin(onDone: (done: LoginDone) => void) {
  const { identity } = useRootData();
  const { open } = useModals();
  const { pathname, search } = useLocation();
  const { mode } = useModalFrame();
  const returnTo = mode === 'page' ? destinationIn(search) : `${pathname}${search}`;
  const [busy, setBusy] = useState<LoginProvider | null>(null);
  const [problem, setProblem] = useState<LoginProblem | null>(null);
  const client = useRef<Promise<IdentityClient> | null>(null);

  const loadClient = useCallback((): Promise<IdentityClient> => {
    client.current ??= loadIdentityClient(identity);
    client.current.catch(() => {
      client.current = null;
    });
    return client.current;
  }, [identity]);

  const finish = useCallback(
    (outcome: LoginOutcome) => {
      setBusy(null);
      setProblem(outcome.kind === 'problem' ? outcome.problem : null);
      if (outcome.kind === 'done') onDone(outcome.done);
    },
    [onDone],
  );

  const start = useCallback(
    async (provider: LoginProvider) => {
      setBusy(provider);
      setProblem(null);
      try {
        finish(await logIn(provider, { client: await loadClient(), open, returnTo }));
      } catch {
        finish({ kind: 'problem', problem: { kind: 'failed', message: 'network' } });
      }
    },
    [finish, loadClient, open, returnTo],
  );

  // Browsers allow popups only right after a click, so the client is loaded before.
  useEffect(() => {
    if (identity.provider === 'none') return;
    let isUnmounted = false;
    const finishRedirect = async () => {
      const loaded = await loadClient();
      const redirected = mode === 'page' ? await loaded.redirectResult() : null;
      if (redirected && !isUnmounted) {
        finish(await logInWith(redirected.provider, { client: loaded, open, returnTo }, async () => redirected));
      }
    };
    finishRedirect().catch(() => {});
    return () => {
      isUnmounted = true;
    };
  }, [identity, mode, loadClient, finish, open, returnTo]);

  return { busy, problem, returnTo, start };
}
