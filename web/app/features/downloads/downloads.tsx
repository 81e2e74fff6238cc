import Download from 'lucide-react/icons/download';
import { type MouseEventHandler, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { track } from '../../telemetry/telemetry';
import { ButtonLink, buttonClass } from '../../ui/controls/button';
import { SubmitButton } from '../../ui/controls/submit-form';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { askForConsent } from '../consents/ask-for-consent';
import { ModalLink } from '../modals/modal-link';
import { useModals } from '../modals/modals';
import { checkoutAddress } from '../plans/offers';
import { PaywallLink } from '../plans/paywall-link';
import { DownloadMenu } from './download-menu';
import type { DownloadView } from './download-view';
import { ExportForm, useExport } from './export-form';
import { Preparing } from './preparing';

interface DownloadsProps {
  readonly taskId: string;
  readonly outputId: string;
  readonly download: DownloadView;
  readonly fileUrl: string;
  readonly hasWatermark: boolean;
  readonly onDownload: MouseEventHandler;
}

const MAIN = 'min-h-11 flex-1 rounded-e-none pe-3';

export function Downloads(given: DownloadsProps) {
  const { t } = useTranslation('result');
  const { open } = useModals();
  const askForTraining = useCallback(() => void askForConsent('imageTraining', open), [open]);
  const onDownload: MouseEventHandler = (event) => {
    given.onDownload(event);
    // The browser fetches the file by itself.
    track('download', { operation: 'started', file: 'result' });
    track('download', { operation: 'completed', file: 'result' });
    askForTraining();
  };
  const props = { ...given, onDownload };
  const { taskId, outputId, download, fileUrl, hasWatermark } = props;
  const { offer } = download;
  const exporting = useExport(askForTraining);
  if (download.primary === 'preparing') return <Preparing className="w-full justify-end phone:justify-center" />;
  return (
    <div className="flex w-full min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-1.5">
      <Terms {...props} />
      {offer && (
        <AppLink
          to={checkoutAddress(offer.priceId, { taskId })}
          className={`${buttonClass('quiet', 'small')} min-h-11 text-center leading-tight text-balance phone:flex-1 sideways:px-3`}
        >
          {hasWatermark ? t('pay', { price: offer.price }) : t('payFull', { price: offer.price })}
        </AppLink>
      )}
      <div className={`flex shrink-0 ${offer ? '' : 'phone:flex-1'}`}>
        {download.primary === 'export' ? (
          <ExportForm {...{ exporting, taskId, outputId }} className="contents">
            <SubmitButton kind="primary" size="small" className={MAIN}>
              <Download aria-hidden className={`size-5 ${offer ? 'phone:hidden' : ''}`} />
              {t('download')}
            </SubmitButton>
          </ExportForm>
        ) : (
          <ButtonLink kind="primary" size="small" className={MAIN} href={fileUrl} download onClick={onDownload}>
            <Download aria-hidden className={`size-5 ${offer ? 'phone:hidden' : ''}`} />
            {t('download')}
          </ButtonLink>
        )}
        <DownloadMenu
          {...{ taskId, outputId, fileUrl, onDownload }}
          formats={download.formats}
          onExport={askForTraining}
        />
      </div>
    </div>
  );
}

/** Text beside the button: about the watermark, or the downloads used. */
function Terms({ taskId, download, fileUrl, hasWatermark, onDownload }: DownloadsProps) {
  const { t } = useTranslation('result');
  const { primary, left, isLimitReached, hasPlansAbove } = download;
  const isExport = primary === 'export';
  return (
    <p className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 text-end text-caption text-muted sm:max-lg:flex-1 phone:basis-full! phone:justify-center phone:text-center">
      {isExport ? (
        <span>{left === null ? t('downloadClean') : t('downloadUses', { left })}</span>
      ) : (
        hasWatermark && <span>{t('watermark')}</span>
      )}
      {isExport && hasWatermark && (
        <a href={fileUrl} download onClick={onDownload} className={TEXT_LINK}>
          {t('freeFile')}
        </a>
      )}
      {isLimitReached && (
        <ModalLink modal="offer" with={{ topic: 'downloads', taskId }} className={TEXT_LINK}>
          {t('limitReached')}
        </ModalLink>
      )}
      {hasPlansAbove && (
        <PaywallLink taskId={taskId} previousAction="watermark" className={TEXT_LINK}>
          {t('plans')}
        </PaywallLink>
      )}
    </p>
  );
}
