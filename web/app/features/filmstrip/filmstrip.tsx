import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '../../ui/content/spinner';
import { AppLink } from '../../ui/page/app-link';
import { useStableUrl } from '../../ui/picture/stable-url';
import { type FilmstripPhoto, type FilmstripView, photoAddress } from './filmstrip-view';

interface FilmstripProps {
  readonly view: FilmstripView;
  readonly taskId: string;
  readonly children?: ReactNode;
}

export function Filmstrip({ view, taskId, children }: FilmstripProps) {
  const { t } = useTranslation('processing');
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Unlike scrollIntoView it leaves the page where it is.
    if (list.current && current) {
      const { left, width } = current.getBoundingClientRect();
      const frame = list.current.getBoundingClientRect();
      list.current.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
    }
  }, []);
  return (
    <nav aria-label={t('batch.strip')} className="filmstrip">
      <ul ref={list} className="filmstrip-photos">
        {view.photos.map((photo, index) => (
          <li key={photo.taskId}>
            <Photo photo={photo} isShown={photo.taskId === taskId} number={index + 1} />
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}

interface PhotoProps {
  readonly photo: FilmstripPhoto;
  readonly isShown: boolean;
  readonly number: number;
}

function Photo({ photo, isShown, number }: PhotoProps) {
  const { t } = useTranslation('processing');
  const { fileName, kind } = photo;
  const url = useStableUrl(photo.thumbnailUrl);
  const name = fileName ?? t('batch.nameless', { number });
  return (
    <AppLink
      to={photoAddress(photo)}
      replace
      title={name}
      aria-current={isShown ? 'page' : undefined}
      className="filmstrip-photo"
    >
      {url && <img src={url} alt="" loading="lazy" decoding="async" />}
      <span className="sr-only">{name}</span>
      <Mark kind={kind} />
    </AppLink>
  );
}

function Mark({ kind }: Pick<FilmstripPhoto, 'kind'>) {
  const { t } = useTranslation('processing');
  if (kind === 'done') return null;
  const hasEnded = kind === 'failed' || kind === 'invalid' || kind === 'cancelled';
  return (
    <span className="filmstrip-mark">
      {hasEnded ? <CircleAlert aria-hidden className="size-5" /> : <Spinner label={null} size={20} />}
      <span className="sr-only">{t(`batch.kinds.${kind}`)}</span>
    </span>
  );
}
