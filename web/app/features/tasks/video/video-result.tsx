import Download from 'lucide-react/icons/download';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/content/notice';
import { ButtonLink } from '../../../ui/controls/button';
import { useDocument } from '../../../ui/page/document-data';
import { PictureShape } from '../../../ui/picture/picture-shape';
import { Sheet } from '../../../ui/stage/sheet';
import { StageLayout } from '../../../ui/stage/stage-layout';
import { StageLinks } from '../../shell/header';
import { ShareButton } from '../sharing/share-button';
import { useFreshUrls } from '../task/use-fresh-urls';
import { VideoComparison } from './player/video-comparison';
import { VideoDetails } from './video-details';
import type { VideoResultView, VideoView } from './video-view';

interface VideoResultProps {
  readonly video: VideoView;
  readonly result: VideoResultView;
  /** The last refresh has failed. */
  readonly isDelayed: boolean;
  readonly refresh: () => Promise<VideoView | null>;
}

/** A finished video before and after, and its download. */
export function VideoResult({ video, result, isDelayed, refresh }: VideoResultProps) {
  const { t } = useTranslation(['result', 'common']);
  const { nonce } = useDocument();
  const { taskId } = video;
  const hasFreshUrls = useFreshUrls(refresh);
  const onDownload = (event: MouseEvent) => {
    if (hasFreshUrls()) return;
    event.preventDefault();
    void refresh().then((fresh) => {
      if (fresh?.result) window.location.assign(fresh.result.downloadUrl);
    });
  };
  return (
    <>
      <PictureShape {...result.size} nonce={nonce} />
      <StageLayout
        heading={t('video.title')}
        fileName={video.fileName}
        tools={
          <>
            <ShareButton taskId={taskId} />
            <StageLinks />
          </>
        }
        actions={
          <ButtonLink
            kind="primary"
            size="small"
            className="min-h-11"
            href={result.downloadUrl}
            download
            onClick={onDownload}
          >
            <Download aria-hidden className="size-5" />
            {t('video.download')}
          </ButtonLink>
        }
        panel={
          <Sheet label={t('details')}>
            <VideoDetails video={video} result={result} />
          </Sheet>
        }
        notices={isDelayed && <Notice>{t('refreshFailed')}</Notice>}
      >
        <VideoComparison key={taskId} video={result} />
      </StageLayout>
    </>
  );
}
