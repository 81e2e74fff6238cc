import { useRevalidator } from '@remix-run/react';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePolled } from '../../http/use-data';
import { batchAddress } from '../../session/task-addresses';
import { Notice } from '../../ui/content/notice';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { useLocalPicture } from '../../ui/picture/picture-url';
import { StageProvider } from '../../ui/stage/stage-context';
import { StageLayout } from '../../ui/stage/stage-layout';
import { SuccessCard } from '../checkout/success';
import { Downloads } from '../downloads/downloads';
import { ExportProblem } from '../downloads/export-form';
import { useAutomaticDownload } from '../downloads/preparing';
import { ApplyLook, Filmstrip, useFilmstrip } from '../filmstrip/filmstrip';
import { ShareButton } from '../sharing/share-button';
import { StageLinks } from '../shell/header';
import { type FinishedTask, type OutputView, type TaskView, taskDataAddress } from '../tasks/task-view';
import { useFreshUrls } from '../tasks/use-task';
import { PreviewActions } from '../tools/panel-notes';
import { UndoRedo } from '../tools/results-strip';
import { ToolPanel } from '../tools/tool-panel';
import { isLarge, useTiles } from '../viewer/use-tiles';
import { type PictureFiles, Viewer } from '../viewer/viewer';
import { initialKnobPosition } from '../viewer/zoom';
import type { LoadedResult } from './result.server';

/** The editor: before and after, the tools, and the download. */
export function Result(props: LoadedResult & { readonly notice: ReactNode }) {
  const { task: initial, download, tools, toolsResponse, problem, startsDownload, notice, success } = props;
  const filmstrip = useFilmstrip(props.filmstrip);
  const { t } = useTranslation(['result', 'common', 'processing']);
  const { nonce } = useDocument();
  const isPreparing = download.primary === 'preparing';
  const address = taskDataAddress(initial.taskId, initial.output.id);
  const {
    view: task,
    isDelayed,
    refresh,
  } = usePolled<TaskView>(initial, address, {
    isChanging: (latest) => arePicturesPending(initial, latest) || (isPreparing && latest.exportState === 'preparing'),
    isShort: isPreparing,
  });
  const { output } = initial;
  const fileUrl = task.output?.downloadUrl ?? output.downloadUrl;
  const awaitsDownload = useRef(startsDownload);
  if (isPreparing) awaitsDownload.current = true;
  const isClean = initial.exportState === 'ready' && !output.hasWatermark;
  useAutomaticDownload(awaitsDownload.current && isClean ? output.downloadUrl : null);
  const { areFresh, renew } = useFreshUrls(refresh);
  const { revalidate } = useRevalidator();
  const compared = tools.results.find(({ id }) => id === tools.comparedId);
  const shown = compared && tools.results.find(({ id }) => id === tools.shownId);
  const versionOf = ({ number }: { readonly number: number }) => t('panel.results.version', { number });
  const pictures = usePictures(initial, task, compared ?? null);
  const tiles = useTiles(initial.taskId, output.isPreview ? null : output);
  const comparedTiles = useTiles(
    initial.taskId,
    compared && !compared.isPreview ? { ...output, id: compared.id } : null,
  );
  const isEncoded = output.isEncoding && task.output?.isEncoding === false;
  const isPrepared = isPreparing && task.exportState !== 'preparing';
  useEffect(() => {
    if (isEncoded || isPrepared) revalidate();
  }, [isEncoded, isPrepared, revalidate]);

  const onDownload = (event: MouseEvent) => {
    if (areFresh()) return;
    event.preventDefault();
    void refresh().then((fresh) => {
      if (fresh?.output) window.location.assign(fresh.output.downloadUrl);
    });
  };
  const onBroken = (files: PictureFiles) => {
    pictures.onBroken(files);
    // Revalidating renews the panel's URLs too; without a connection it would show the error page.
    if (!areFresh()) void renew().then((isRenewed) => isRenewed && revalidate());
  };
  const { taskId } = initial;
  const size = { width: output.width, height: output.height };

  return (
    <StageProvider>
      <PictureShape {...size} knob={initialKnobPosition(output.faces, size)} nonce={nonce} />
      <StageLayout
        heading={t('heading')}
        back={filmstrip ? { to: batchAddress(filmstrip.batchId), label: t('processing:batch.back') } : undefined}
        fileName={task.fileName}
        tools={
          <>
            <UndoRedo taskId={taskId} view={tools} />
            {!output.isPreview && <ShareButton taskId={taskId} />}
            <StageLinks />
          </>
        }
        actions={
          output.isPreview ? (
            <PreviewActions taskId={taskId} view={tools} />
          ) : (
            <Downloads
              {...{ taskId, download, fileUrl, onDownload }}
              outputId={output.id}
              hasWatermark={output.hasWatermark}
            />
          )
        }
        filmstrip={
          filmstrip && (
            <Filmstrip view={filmstrip} taskId={taskId}>
              {!output.isPreview && <ApplyLook view={filmstrip} taskId={taskId} outputId={output.id} />}
            </Filmstrip>
          )
        }
        panel={
          <ToolPanel task={initial} view={tools} response={toolsResponse}>
            {success && <SuccessCard success={success} />}
          </ToolPanel>
        }
        notices={
          <>
            {notice}
            {isDelayed && <Notice>{t('refreshFailed')}</Notice>}
            {problem && !isPreparing && <ExportProblem code={problem} taskId={taskId} />}
          </>
        }
      >
        <Viewer
          taskId={taskId}
          size={size}
          faces={output.faces}
          onBroken={onBroken}
          before={{
            files: pictures.before,
            placeholder: pictures.placeholder,
            tiles: compared ? comparedTiles?.after : tiles?.before,
            label: compared ? versionOf(compared) : t('common:before'),
            alt: t('beforeAlt'),
          }}
          after={{
            files: pictures.after,
            tiles: tiles?.after,
            fullUrl: isLarge(size) ? output.url : null,
            label: shown ? versionOf(shown) : t('common:after'),
            alt: t('afterAlt'),
          }}
        />
      </StageLayout>
    </StageProvider>
  );
}

interface Pictures {
  readonly before: PictureFiles | null;
  readonly after: PictureFiles;
  /** Shown until `before` is loaded. */
  readonly placeholder: string | null;
  /** Call when a file doesn't load. */
  readonly onBroken: (files: PictureFiles) => void;
}

/**
 * URLs of display files, or of the result until its own exists, never of an original, which may have 50 MB or a format
 * that browsers don't show. The first signed URLs are kept, so that pictures load once, until one fails.
 * @param latest the task as refreshed
 * @param compared shown in place of the original
 */
function usePictures(
  { taskId, display, output }: FinishedTask,
  latest: TaskView,
  compared: PictureFiles | null,
): Pictures {
  const placeholder = useLocalPicture(taskId);
  const [broken, setBroken] = useState<readonly string[]>([]);
  const { inputUrl, inputMediumUrl } = latest.display.inputUrl ? latest.display : display;
  const outputDisplay = displayOf(output, latest);
  const original = useFirst(
    inputUrl ? { url: inputUrl, mediumUrl: inputMediumUrl } : null,
    inputUrl ? 'display' : '',
    broken,
  );
  const after = useFirst(
    outputDisplay ?? { url: output.url, mediumUrl: null },
    `${output.id} ${outputDisplay ? 'display' : 'file'} ${output.isEncoding}`,
    broken,
  );
  return {
    before: compared ?? original,
    after,
    placeholder: compared ? null : placeholder,
    onBroken: ({ url }) => setBroken((urls) => [...urls, url]),
  };
}

/** Display files are still encoded. */
const arePicturesPending = ({ display, output }: FinishedTask, latest: TaskView): boolean =>
  !(latest.display.inputUrl || display.inputUrl) || !displayOf(output, latest) || output.isEncoding;

const displayOf = (output: OutputView, latest: TaskView) =>
  (latest.output?.id === output.id ? latest.output.display : null) ?? output.display;

function useFirst<Files extends PictureFiles | null>(files: Files, file: string, broken: readonly string[]): Files {
  const [first, setFirst] = useState({ files, file });
  const isBroken = first.files !== null && broken.includes(first.files.url);
  if (first.file === file && (!isBroken || files?.url === first.files?.url)) return first.files;
  setFirst({ files, file });
  return files;
}
