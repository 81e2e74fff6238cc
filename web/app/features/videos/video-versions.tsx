import { useTranslation } from 'react-i18next';
import { videoAddress } from '../../session/task-addresses';
import { AppLink } from '../../ui/page/app-link';
import type { VideoView } from './video-view';

interface VideoVersionsProps {
  readonly video: Pick<VideoView, 'taskId' | 'versions'>;
  readonly shownId: string;
}

export function VideoVersions({ video: { taskId, versions }, shownId }: VideoVersionsProps) {
  const { t } = useTranslation('result');
  if (versions.length < 2) return null;
  return (
    <nav aria-label={t('panel.results.title')} className="flex flex-col gap-2">
      <h2 className="font-medium">{t('panel.results.title')}</h2>
      <ul className="-mx-1 flex gap-2 overflow-x-auto p-1">
        {versions.map(({ id, number, posterUrl }) => (
          <li key={id} className="w-20 shrink-0">
            <AppLink
              to={videoAddress(taskId, id)}
              replace
              preventScrollReset
              aria-current={id === shownId ? 'true' : undefined}
              className="version"
            >
              <img src={posterUrl} alt="" loading="lazy" className="filter-picture object-cover" />
              <span className="text-center text-caption">{t('panel.results.version', { number })}</span>
            </AppLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
