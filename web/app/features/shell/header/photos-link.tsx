import { useLocation } from '@remix-run/react';
import Images from 'lucide-react/icons/images';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NO_PHOTOS, type PhotosState, showsPhotos } from '../../../session/photos/photos-state';
import { useRootData } from '../../../session/root-data';
import { AppLink } from '../../../ui/page/app-link';

interface PhotosLinkProps {
  /** Hides the label, except from screen readers, where there is no room for it. */
  readonly labelClass?: string;
}

export function PhotosLink({ labelClass = 'max-lg:sr-only' }: PhotosLinkProps) {
  const { t } = useTranslation('header');
  const state = usePhotosState();
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
    </AppLink>
  );
}

const POLL_MS = 5_000;

/** Refreshed while a photo is processed, and after pages that show photos: navigations don't reload the root's data. */
function usePhotosState(): PhotosState {
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
    if (isNew || (showsPhotos(left) && !showsPhotos(pathname))) void fetchState('?seen').then(setState, () => {});
  }, [pathname]);

  const isRunning = state.kind === 'running' && !showsPhotos(pathname);
  useEffect(() => {
    if (!isRunning) return;
    const timer = window.setInterval(() => {
      if (!document.hidden) void fetchState().then(setState, () => {});
    }, POLL_MS);
    return () => window.clearInterval(timer);
  }, [isRunning]);
  return showsPhotos(pathname) ? NO_PHOTOS : state;
}

async function fetchState(query = ''): Promise<PhotosState> {
  const response = await fetch(`/photos/state${query}`);
  if (!response.ok) throw new Error(`fetching the state of the photos failed with status ${response.status}`);
  return (await response.json()) as PhotosState;
}
