import { useTranslation } from 'react-i18next';
import { VideoComparison } from '../videos/video-comparison';
import { SharedLayout, type SharedView } from './shared-photo';

export function SharedVideo({ shared }: { readonly shared: SharedView }) {
  const { t } = useTranslation('result');
  const { beforeUrl, afterUrl, posterUrl, size, frameRate } = shared;
  const video = {
    beforeUrl,
    afterUrl,
    beforePosterUrl: null,
    afterPosterUrl: posterUrl,
    size,
    duration: null,
    frameRate,
  };
  return (
    <SharedLayout shared={shared} tryLabel={t('video.sharedTry')}>
      <VideoComparison video={video} />
    </SharedLayout>
  );
}
