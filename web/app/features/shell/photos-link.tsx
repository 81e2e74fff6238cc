import { useLocation } from '@remix-run/react';
import Images from 'lucide-react/icons/images';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { read } from '../../http/browser-client';
import { NO_PHOTOS, PHOTOS_STATE, type PhotosState, showsPhotos } from '../../session/photos-state';
import { useRootData } from '../../session/root-data';
import { AppLink } from '../../ui/page/app-link';

interface PhotosLinkProps {
  /** Hides the label, except from screen readers, where there is no room for it. */
  readonly labelClass?: string;
}

export function PhotosLink({ labelClass = 'max-lg:sr-only' }: PhotosLinkProps) {
  const { t } = useTranslation('header');
  const { state, setState } = usePhotosState();
  return (
    <AppLink to="/history" className="link-quiet flex min-h-11 min-w-6 items-center justify-center gap-2 text-muted">
      <span className="relative">
        <Images aria-hidden className="size-4.5 shrink-0" />
        {state.kind !== 'none' && (
          <span
            aria-hidden
            className={`absolute -end-1 -top-1 size-2.5 rounded-full bg-accent ring-2 ring-ground ${
              state.kind === 'running' ? 'animate-pulse motion-reduce:animate-none' : ''
            }`}
          />
        )}
      </span>
      <span className={labelClass}>{t('photos')}</span>{' '}
      <span role="status" className="font-medium text-ink max-[30rem]:sr-only empty:hidden">
        {state.kind === 'running' && t('photosRunning', { count: state.count })}
        {state.kind === 'ready' && t('photosReady')}
      </span>
      {state.kind === 'running' && (
        <Suspense fallback={null}>
          <PhotosPoll onChange={setState} />
        </Suspense>
      )}
    </AppLink>
  );
}

/** Loaded while a photo is processed only: the landing page has no library for data. */
const PhotosPoll = lazy(async () => ({ default: (await import('./photos-poll')).PhotosPoll }));

/** Refreshed while a photo is processed, and after pages that show photos: navigations don't reload the root's data. */
function usePhotosState() {
  const { photos } = useRootData();
  const { pathname } = useLocation();
  const [state, setState] = useState(photos);
  useEffect(() => setState(photos), [photos]);

  const previous = useRef(pathname);
  useEffect(() => {
    const left = previous.current;
    previous.current = pathname;
    // A header that appears after hydration follows a page without one.
    const isNew = left === pathname && document.documentElement.dataset.live !== undefined;
    if (isNew || (showsPhotos(left) && !showsPhotos(pathname)))
      void read<PhotosState>(`${PHOTOS_STATE}?seen`).then(setState, () => {});
  }, [pathname]);

  return { state: showsPhotos(pathname) ? NO_PHOTOS : state, setState };
}
