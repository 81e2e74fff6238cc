import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { useAfterPurchase } from '../consents/use-after-purchase';
import { isEnded } from '../processing/ended-media';
import type { TaskView } from '../tasks/task-view';
import { loadVideo, type VideoView } from '../videos/video.server';
import { VideoPage } from '../videos/video-page';
import { Result } from './result';
import { loadResult } from './result.server';

export const handle = {
  i18n: ['result', 'processing'],
  showsDeletionDate: true,
  isStage: (loaded: Loaded) => !('video' in loaded && isEnded(loaded.video.state)),
  refreshesWithoutScript: (loaded: Loaded | undefined) =>
    loaded !== undefined && ('video' in loaded ? loaded.video.state.kind !== 'done' : isIncomplete(loaded.task)),
};

/** In progress, or without one of the files to show or to download. */
const isIncomplete = ({ state, display, output, exportState }: TaskView): boolean =>
  state.kind !== 'done' ||
  exportState === 'preparing' ||
  !display.inputUrl ||
  output?.display === null ||
  output?.isEncoding === true;

/** A picture, or with `mediaType=video` a video in any state. */
export const loader = (args: LoaderFunctionArgs) =>
  new URL(args.request.url).searchParams.get('mediaType') === 'video' ? loadVideo(args) : loadResult(args);

type Loaded = { readonly task: TaskView } | { readonly video: VideoView };

export { pageHeaders as headers, titleMeta as meta } from '../../http/page';

export default function ResultPage() {
  const { t } = useTranslation(['result', 'common']);
  const loaded = useLoaderData<typeof loader>();
  useAfterPurchase('flash' in loaded ? loaded.flash : null);
  if ('video' in loaded) return <VideoPage key={loaded.video.taskId} {...loaded} />;
  const { task, flash } = loaded;
  return (
    <Result
      key={task.taskId}
      {...loaded}
      notice={
        flash && <FlashNotice id={flash.id} text={t(flash.text)} delayMs={flash.delayMs} isLasting={flash.isLasting} />
      }
    />
  );
}
