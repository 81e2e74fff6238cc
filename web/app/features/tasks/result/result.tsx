import type { ErrorCode } from '@clearframe/contract';
import Eye from 'lucide-react/icons/eye';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/content/notice';
import { Button, buttonClass } from '../../../ui/controls/button';
import { AppLink } from '../../../ui/page/app-link';
import { useDocument } from '../../../ui/page/document-data';
import { CompareSlider } from '../../../ui/picture/compare-slider';
import { PictureShape } from '../../../ui/picture/picture-shape';
import type { OutputView, TaskView } from '../task/task-view';
import { useTask } from '../task/use-task';
import type { DownloadView } from './download-view';
import { Downloads } from './downloads';
import { ExportProblem } from './export-problem';
import { ResultDetails } from './result-details';
import { useAutomaticDownload } from './use-automatic-download';

type FinishedTask = TaskView & { readonly output: OutputView };

/** Signed URLs expire after some minutes; older ones than this are refreshed before use. */
const URL_MAX_AGE_MS = 60_000;

interface ResultProps {
  readonly task: FinishedTask;
  readonly download: DownloadView;
  /** Error of an export without JavaScript. */
  readonly problem: ErrorCode | null;
  /** True after a payment: the download starts automatically. */
  readonly startsDownload: boolean;
}

/** Before and after, with downloads. */
export function Result({ task: initial, download, problem, startsDownload }: ResultProps) {
  const { t } = useTranslation(['result', 'common']);
  const { nonce } = useDocument();
  const { task, isDelayed, refresh } = useTask(initial);
  // Pictures keep their first signed URLs, so that they load once; downloads use the newest.
  const { inputUrl, output } = initial;
  // After an export the loader's data is newer than the polled task.
  const isCurrent = task.isExported === initial.isExported;
  const downloadUrl = (isCurrent && task.output?.downloadUrl) || output.downloadUrl;
  useAutomaticDownload(startsDownload ? output.downloadUrl : null);
  const [showsBefore, setShowsBefore] = useState(false);
  const [isUndecodable, setUndecodable] = useState(false);
  const hasFreshUrls = useFreshUrls(refresh);

  const onDownload = (event: MouseEvent) => {
    if (hasFreshUrls()) return;
    event.preventDefault();
    void refresh().then((fresh) => {
      if (fresh?.output) window.location.assign(fresh.output.downloadUrl);
    });
  };
  const size = { width: output.width, height: output.height };

  return (
    <section className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-5 pb-4 sm:px-8">
      <PictureShape {...size} nonce={nonce} />
      <h1 className="sr-only">{t('heading')}</h1>
      {isDelayed && <Notice>{t('refreshFailed')}</Notice>}
      {isUndecodable && <Notice>{t('unshowable')}</Notice>}
      <div className="flex justify-center">
        <CompareSlider
          className="picture-frame shadow-float"
          label={t('compare')}
          beforeLabel={t('common:before')}
          afterLabel={t('common:after')}
          showsBefore={showsBefore}
          before={
            inputUrl && <img src={inputUrl} alt={t('beforeAlt')} {...size} onError={() => setUndecodable(true)} />
          }
          after={<img src={output.url} alt={t('afterAlt')} {...size} />}
        />
      </div>
      <div className="mx-auto flex w-full max-w-3xl flex-col items-center gap-5">
        {problem && <ExportProblem code={problem} taskId={initial.taskId} />}
        <Downloads
          taskId={initial.taskId}
          download={download}
          fileUrl={downloadUrl}
          hasWatermark={output.hasWatermark}
          onDownload={onDownload}
        >
          <HoldForOriginal onChange={setShowsBefore} />
          <AppLink to="/" reloadDocument className={buttonClass('quiet')}>
            {t('common:startOver')}
          </AppLink>
        </Downloads>
        <ResultDetails fileName={task.fileName} output={output} />
      </div>
    </section>
  );
}

/** A button that is active while held by pointer or space bar. */
function HoldForOriginal({ onChange }: { readonly onChange: (isHeld: boolean) => void }) {
  const { t } = useTranslation('result');
  const hold = () => onChange(true);
  const release = () => onChange(false);
  return (
    <Button
      kind="quiet"
      className="nojs:hidden"
      onPointerDown={hold}
      onPointerUp={release}
      onPointerCancel={release}
      onPointerLeave={release}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => event.key === ' ' && hold()}
      onKeyUp={release}
      onBlur={release}
    >
      <Eye aria-hidden className="size-5" />
      {t('hold')}
    </Button>
  );
}

/**
 * Refreshes signed URLs when the page becomes visible again.
 * @returns whether the current ones are still valid
 */
function useFreshUrls(refresh: () => Promise<TaskView | null>): () => boolean {
  const refreshedAt = useRef<number | null>(null);
  useEffect(() => {
    refreshedAt.current ??= Date.now();
    const onReturn = () => {
      if (document.hidden || Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS) return;
      void refresh().then((fresh) => {
        if (fresh) refreshedAt.current = Date.now();
      });
    };
    document.addEventListener('visibilitychange', onReturn);
    window.addEventListener('focus', onReturn);
    window.addEventListener('pageshow', onReturn);
    return () => {
      document.removeEventListener('visibilitychange', onReturn);
      window.removeEventListener('focus', onReturn);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [refresh]);
  return () => Date.now() - (refreshedAt.current ?? 0) < URL_MAX_AGE_MS;
}
