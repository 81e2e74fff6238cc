import Download from 'lucide-react/icons/download';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import type { MouseEventHandler, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink, buttonClass } from '../../../ui/controls/button';
import { SubmitButton } from '../../../ui/controls/submit-form';
import { AppLink, TEXT_LINK } from '../../../ui/page/app-link';
import { checkoutAddress } from '../../billing/plans/offers';
import type { DownloadView } from './download-view';
import { ExportForm } from './export-form';

interface DownloadsProps {
  readonly taskId: string;
  readonly download: DownloadView;
  /** URL of the displayed file. */
  readonly fileUrl: string;
  readonly hasWatermark: boolean;
  readonly onDownload: MouseEventHandler;
  /** Buttons beside the main one. */
  readonly children: ReactNode;
}

/** The main download button, the price of the clean file, and other formats. */
export function Downloads({ taskId, download, fileUrl, hasWatermark, onDownload, children }: DownloadsProps) {
  const { t } = useTranslation('result');
  const { primary, left, offer, hasPlansAbove } = download;
  const isExport = primary === 'export';
  return (
    <>
      <div className="flex w-full flex-col justify-center gap-3 sm:w-auto sm:flex-row sm:flex-wrap">
        {isExport ? (
          <ExportForm taskId={taskId} className="contents">
            <SubmitButton kind="primary">
              <Download aria-hidden className="size-5" />
              {left === null ? t('downloadClean') : t('downloadUses', { left })}
            </SubmitButton>
          </ExportForm>
        ) : (
          <ButtonLink kind="primary" href={fileUrl} download onClick={onDownload}>
            <Download aria-hidden className="size-5" />
            {t('download')}
          </ButtonLink>
        )}
        {offer && (
          <AppLink to={checkoutAddress(offer.priceId, { taskId })} className={buttonClass('quiet')}>
            <span>{hasWatermark ? t('pay', { price: offer.price }) : t('payFull', { price: offer.price })}</span>
          </AppLink>
        )}
        {children}
      </div>
      {(hasWatermark || hasPlansAbove) && (
        <p className="flex flex-wrap justify-center gap-x-4 gap-y-1 text-center text-sm text-muted">
          {hasWatermark && <span>{t('watermark')}</span>}
          {isExport && hasWatermark && (
            <a href={fileUrl} download onClick={onDownload} className={TEXT_LINK}>
              {t('freeFile')}
            </a>
          )}
          {hasPlansAbove && (
            <AppLink to={`/upgrade?taskId=${taskId}`} className={TEXT_LINK}>
              {t('plans')}
            </AppLink>
          )}
        </p>
      )}
      <Formats taskId={taskId} formats={download.formats} />
    </>
  );
}

function Formats({ taskId, formats }: { readonly taskId: string; readonly formats: DownloadView['formats'] }) {
  const { t } = useTranslation('result');
  if (formats.length === 0) return null;
  return (
    <section aria-label={t('formats')} className="flex flex-col items-center gap-3">
      <ExportForm taskId={taskId} className="flex flex-wrap items-center justify-center gap-2 text-sm">
        <span className="text-muted">{t('formats')}</span>
        {formats.map(({ contentType, name, isLocked }) =>
          isLocked ? (
            <AppLink
              key={contentType}
              to={`/upgrade?taskId=${taskId}`}
              className={`${buttonClass('quiet', 'small')} min-h-11`}
            >
              <LockKeyhole aria-hidden className="size-4" />
              {name}
              <span className="sr-only">{t('formatLocked')}</span>
            </AppLink>
          ) : (
            <SubmitButton
              key={contentType}
              kind="quiet"
              size="small"
              name="format"
              value={contentType}
              className="min-h-11"
            >
              {name}
            </SubmitButton>
          ),
        )}
      </ExportForm>
    </section>
  );
}
