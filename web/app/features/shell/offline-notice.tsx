import WifiOff from 'lucide-react/icons/wifi-off';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';

function subscribe(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
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
  return (
    <div
      aria-live="polite"
      className={`pointer-events-none fixed inset-x-4 z-20 flex justify-center ${isOnStage ? 'top-16' : 'bottom-4'}`}
    >
      {!isOnline && (
        <p className="flex items-center gap-3 rounded-2xl bg-ink px-5 py-3 text-sm text-ground shadow-float">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          {t('offline')}
        </p>
      )}
    </div>
  );
}
