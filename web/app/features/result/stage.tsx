import type { ErrorCode } from '@clearframe/contract';
import { useRevalidator } from '@remix-run/react';
import { type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { batchAddress } from '../../session/task-addresses';
import { Notice } from '../../ui/content/notice';
import { useDocument } from '../../ui/page/document-data';
import { PictureShape } from '../../ui/picture/picture-shape';
import { StageProvider } from '../../ui/stage/stage-context';
import { StageLayout } from '../../ui/stage/stage-layout';
import type { DownloadView } from '../downloads/download-view';
import { Downloads } from '../downloads/downloads';
import { ExportProblem } from '../downloads/export-problem';
import { useAutomaticDownload } from '../downloads/use-automatic-download';
import { ApplyLook } from '../filmstrip/apply-look';
import { Filmstrip } from '../filmstrip/filmstrip';
import type { FilmstripView } from '../filmstrip/filmstrip-view';
import { useFilmstrip } from '../processing/use-filmstrip';
import { StageLinks } from '../shell/header';
import type { OutputView, TaskView } from '../tasks/task-view';
import { useFreshUrls } from '../tasks/use-fresh-urls';
import { useTask } from '../tasks/use-task';
import { initialKnobPosition } from '../viewer/knob-position';
import type { PictureFiles } from '../viewer/picture-files';
import { Viewer } from '../viewer/viewer';
import { arePicturesPending, usePictures } from './use-pictures';

export type FinishedTask = TaskView & { readonly output: OutputView };

export interface StageProps {
  /** `output` is the result that is shown and downloaded. */
  readonly task: FinishedTask;
  readonly download: DownloadView;
  /** Error of an export without JavaScript. */
  readonly problem: ErrorCode | null;
  /** True after a payment: the download starts automatically. */
  readonly startsDownload: boolean;
  /** A message over the picture, such as a payment's. */
  readonly notice?: ReactNode;
  readonly panel: ReactNode;
  /** In place of the downloads. */
  readonly actions?: ReactNode;
  readonly undo?: ReactNode;
  readonly share?: ReactNode;
  readonly filmstrip?: FilmstripView | null;
  /** Shown in place of the original, to compare two results. */
  readonly before?: { readonly files: PictureFiles; readonly label: string };
  readonly afterLabel?: string;
}

/** The editor: before and after, the tools, and the download. */
export function Stage(props: StageProps) {
  const { task: initial, download, problem, startsDownload, notice, panel, actions, undo, share, before } = props;
  const filmstrip = useFilmstrip(props.filmstrip ?? null);
  const { t } = useTranslation(['result', 'common', 'processing']);
  const { nonce } = useDocument();
  const isPreparing = download.primary === 'preparing';
  const { task, isDelayed, refresh } = useTask(initial, {
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
  const pictures = usePictures(initial, task, before?.files ?? null);
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
            {undo}
            {share}
            <StageLinks />
          </>
        }
        actions={
          actions || (
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
        panel={panel}
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
            label: before?.label ?? t('common:before'),
            alt: t('beforeAlt'),
          }}
          after={{ files: pictures.after, label: props.afterLabel ?? t('common:after'), alt: t('afterAlt') }}
        />
      </StageLayout>
    </StageProvider>
  );
}
