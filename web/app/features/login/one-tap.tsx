import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useRootData } from '../../session/root-data';
import { useToast } from '../../ui/toast/toast-list';
import { useIsModalOpen, useModals } from '../modals/modals';

/** Delay after the page has loaded (spec 1, section 9). */
const DELAY_MS = 2_000;

const DESKTOP = '(min-width: 48rem) and (hover: hover) and (pointer: fine)';

export function OneTap() {
  const { t } = useTranslation();
  const { visitor, identity } = useRootData();
  const { open } = useModals();
  const { show } = useToast();
  // Not over a modal, which may be the login.
  const isModalOpen = useIsModalOpen();
  const isAvailable = identity.oneTap !== null && visitor.kind === 'guest' && !isModalOpen;
  const errorText = t('errors.users.identity_rejected');

  useEffect(() => {
    if (!isAvailable || !window.matchMedia(DESKTOP).matches) return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      timer = setTimeout(async () => {
        const { promptOneTap } = await import('./one-tap-prompt');
        await promptOneTap(identity, {
          open,
          onProblem: () => show(errorText, { kind: 'problem' }),
          signal: controller.signal,
        });
      }, DELAY_MS);
    };
    if (document.readyState === 'complete') start();
    else window.addEventListener('load', start, { once: true, signal: controller.signal });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [isAvailable, identity, open, show, errorText]);

  return null;
}
