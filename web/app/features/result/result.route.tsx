import type { LoaderFunctionArgs } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { useAfterPurchase } from '../consents/use-after-purchase';
import { isEnded } from '../processing/ended-media';
import { ShareButton } from '../sharing/share-button';
import type { TaskView } from '../tasks/task-view';
import { PreviewActions } from '../tools/preview-note';
import { ToolPanel } from '../tools/tool-panel';
import type { ToolsResponse, ToolsView } from '../tools/tools-view';
import { UndoRedo } from '../tools/undo-redo';
import { loadVideo } from '../videos/video.server';
import { VideoPage } from '../videos/video-page';
import type { VideoView } from '../videos/video-view';
import { Notes } from './notes';
import { loadResult } from './result.server';
import { Stage, type StageProps } from './stage';

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

export { pageHeaders as headers } from '../../http/page-headers';
export { titleMeta as meta } from '../../http/page-meta';

export default function ResultPage() {
  const { t } = useTranslation(['result', 'common']);
  const loaded = useLoaderData<typeof loader>();
  useAfterPurchase('flash' in loaded ? loaded.flash : null);
  if ('video' in loaded) return <VideoPage key={loaded.video.taskId} {...loaded} />;
  const { task, download, tools, toolsResponse, filmstrip, flash, problem, startsDownload } = loaded;
  const notice = flash && (
    <FlashNotice id={flash.id} text={t(flash.text)} delayMs={flash.delayMs} isLasting={flash.isLasting} />
  );
  return (
    <Result
      key={task.taskId}
      task={task}
      download={download}
      tools={tools}
      toolsResponse={toolsResponse}
      filmstrip={filmstrip}
      problem={problem}
      startsDownload={startsDownload}
      notice={notice}
    />
  );
}

interface ResultProps extends Omit<StageProps, 'panel' | 'actions' | 'undo' | 'share' | 'before' | 'afterLabel'> {
  readonly notice: ReactNode;
  readonly tools: ToolsView;
  readonly toolsResponse: ToolsResponse;
}

function Result({ tools, toolsResponse, ...stage }: ResultProps) {
  const { t } = useTranslation('result');
  const { task } = stage;
  const compared = tools.results.find(({ id }) => id === tools.comparedId);
  const shown = tools.results.find(({ id }) => id === tools.shownId);
  const versionOf = ({ number }: { readonly number: number }) => t('panel.results.version', { number });
  return (
    <Stage
      {...stage}
      actions={task.output.isPreview && <PreviewActions taskId={task.taskId} view={tools} />}
      share={!task.output.isPreview && <ShareButton taskId={task.taskId} />}
      undo={<UndoRedo taskId={task.taskId} view={tools} />}
      before={compared && { files: compared, label: versionOf(compared) }}
      afterLabel={compared && shown && versionOf(shown)}
      panel={
        <ToolPanel
          task={task}
          view={tools}
          response={toolsResponse}
          notes={<Notes output={task.output} details={tools.details} />}
        />
      }
    />
  );
}
