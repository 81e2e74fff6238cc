import type { ErrorCode } from '@clearframe/contract';
import Download from 'lucide-react/icons/download';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { ButtonLink } from '../../ui/controls/button';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { Sheet } from '../../ui/stage/sheet';
import { StageLayout } from '../../ui/stage/stage-layout';
import { ShareButton } from '../sharing/share-button';
import { StageLinks } from '../shell/header';
import { useFreshUrls } from '../tasks/use-fresh-urls';
import type { ToolView } from '../tools/tools-view';
import { VideoComparison } from './video-comparison';
import { VideoDetails } from './video-details';
import { VideoNotes } from './video-notes';
import { VideoTools } from './video-tools';
import { VideoVersions } from './video-versions';
import type { VideoResultView, VideoView } from './video-view';

interface VideoResultProps {
  readonly video: VideoView;
  readonly result: VideoResultView;
  readonly tools: readonly ToolView[];
  readonly problem: ErrorCode | null;
  readonly isDelayed: boolean;
  readonly refresh: () => Promise<VideoView | null>;
}

export function VideoResult({ video, result, tools, problem, isDelayed, refresh }: VideoResultProps) {
  const { t } = useTranslation(['result', 'common']);
  const { nonce } = useDocument();
  const { taskId } = video;
  const error = problem ?? video.lastError;
  const { areFresh } = useFreshUrls(refresh);
  const onDownload = (event: MouseEvent) => {
    if (areFresh()) return;
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
            className="min-h-11 max-lg:flex-1"
            href={result.downloadUrl}
            download
            onClick={onDownload}
          >
            <Download aria-hidden className="size-5" />
            {t('video.download')}
          </ButtonLink>
        }
        panel={
          <Sheet label={t('panel.label')} summary={<VideoNotes result={result} />}>
            <div className="flex flex-col gap-8">
              <VideoVersions video={video} shownId={result.id} />
              <VideoTools key={result.id} video={video} tools={tools} />
              <section className="flex flex-col gap-4">
                <h2 className="font-medium">{t('details')}</h2>
                <VideoDetails video={video} result={result} />
              </section>
            </div>
          </Sheet>
        }
        notices={
          <>
            {isDelayed && <Notice>{t('refreshFailed')}</Notice>}
            {error && <Notice>{t(`common:errors.${error}`)}</Notice>}
          </>
        }
      >
        <VideoComparison key={result.id} video={result} />
      </StageLayout>
    </>
  );
}
