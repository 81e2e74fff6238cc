import { useBlocker } from '@remix-run/react';
import { useDeferredValue, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

function subscribe(onChange: () => void): () => void {
  const watch = new AbortController();
  for (const type of ['online', 'offline']) window.addEventListener(type, onChange, watch);
  return () => watch.abort();
}

/** Without a connection, a navigation would end on an error page: the page stays, and continues once it is back. */
function NavigationHold({
  isOnline,
  onChange,
}: {
  readonly isOnline: boolean;
  readonly onChange: (isHolding: boolean) => void;
}) {
  const blocker = useBlocker(!isOnline);
  // The router renders its state in transitions: at once, this could be the choice before the last.
  const isBack = useDeferredValue(isOnline);
  useEffect(() => {
    if (!isBack) return;
    if (blocker.state === 'blocked') blocker.proceed();
    else if (blocker.state === 'unblocked') onChange(false);
  }, [isBack, blocker, onChange]);
  return null;
}

interface OfflineNoticeProps {
  /** Above the picture: zoom buttons and the download are at its end. */
  readonly isOnStage: boolean;
}

export function OfflineNotice({ isOnStage }: OfflineNoticeProps) {
  const { t } = useTranslation();
  const isOnline = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // Not always: the router warns of links within the page while a blocker is there.
  const [isHolding, setHolding] = useState(false);
  useEffect(() => {
    if (!isOnline) setHolding(true);
  }, [isOnline]);
  return (
    <div
      aria-live="polite"
      className={`pointer-events-none fixed inset-x-4 z-20 flex justify-center ${isOnStage ? 'top-16' : 'bottom-4'}`}
    >
      {(isHolding || !isOnline) && <NavigationHold isOnline={isOnline} onChange={setHolding} />}
      {!isOnline && <p className="rounded-2xl bg-ink px-5 py-3 text-sm text-ground shadow-float">{t('offline')}</p>}
    </div>
  );
}
