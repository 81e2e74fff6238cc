import { isLayered } from '@clearframe/contract';
import ChevronDown from 'lucide-react/icons/chevron-down';
import Download from 'lucide-react/icons/download';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import { type MouseEventHandler, useCallback, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { track } from '../../telemetry/telemetry';
import { ButtonLink, buttonClass } from '../../ui/controls/button';
import { SubmitButton, useIsSubmitting } from '../../ui/controls/submit-form';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { askForConsent } from '../consents/ask-for-consent';
import { ModalLink } from '../modals/modal-link';
import { useIsModalOpen, useModals } from '../modals/modals';
import { checkoutAddress } from '../plans/offers';
import { PaywallLink } from '../plans/paywall-link';
import { fileSize, Parts, printSizes } from '../tasks/detail-row';
import { DOWNLOAD_FORMATS, type DownloadView, type FormatOffer } from './download-view';
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

interface DownloadMenuProps {
  readonly taskId: string;
  readonly outputId: string;
  readonly formats: readonly FormatOffer[];
  readonly fileUrl: string;
  readonly onDownload: MouseEventHandler;
  /** A rendered file's download starts. */
  readonly onExport: () => void;
}

const ITEM =
  'flex min-h-11 w-full cursor-pointer items-center justify-between gap-6 rounded-control px-4 text-start text-sm font-medium hover:bg-quiet disabled:opacity-50';

/** The file in other formats: a popover, which browsers open without script. */
function DownloadMenu({ taskId, outputId, formats, fileUrl, onDownload, onExport }: DownloadMenuProps) {
  const { t, i18n } = useTranslation('result');
  // Layers are of the whole result.
  const whole = formats.at(-1);
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const close = useCallback(() => popover.current?.hidePopover(), []);
  const exporting = useExport(() => {
    close();
    onExport();
  });
  return (
    <>
      <button
        type="button"
        className={`${buttonClass('primary', 'small')} min-h-11 rounded-s-none ps-2.5 pe-3 ms-px`}
        {...{ popovertarget: id }}
        title={t('formats')}
      >
        <ChevronDown aria-hidden className="size-5" />
        <span className="sr-only">{t('formats')}</span>
      </button>
      <div ref={popover} id={id} {...{ popover: 'auto' }} data-theme="dark" className="download-menu">
        <ExportForm {...{ exporting, taskId, outputId }} className="flex flex-col">
          <CloseUnderModal popover={popover} />
          <p className="px-4 pt-2 pb-1 text-caption text-muted">{t('formats')}</p>
          {formats.map((offer) => (
            <Format key={offer.format} offer={offer} {...{ taskId, fileUrl, onDownload }} onOpen={close} />
          ))}
          {whole && (
            <p className="px-4 pt-2 pb-2 text-caption text-muted">
              <span className="block">{t('panel.details.print')}</span>
              <Parts parts={printSizes(whole, i18n.language, t)} />
            </p>
          )}
        </ExportForm>
      </div>
    </>
  );
}

interface FormatProps extends Omit<DownloadMenuProps, 'formats' | 'outputId' | 'onExport'> {
  readonly offer: FormatOffer;
  /** The menu would cover a modal. */
  readonly onOpen: () => void;
}

function Format({ offer, taskId, fileUrl, onDownload, onOpen }: FormatProps) {
  const { t } = useTranslation('result');
  const isSubmitting = useIsSubmitting();
  const { format, kind } = offer;
  const name = <FormatName {...offer} />;
  switch (kind) {
    case 'locked': {
      const isPaid = DOWNLOAD_FORMATS[format].outputContentType === 'image/jpeg';
      const contents = (
        <>
          {name}
          <span className="flex items-center gap-1.5 text-caption text-muted">
            <LockKeyhole aria-hidden className="size-4" />
            {t(isPaid ? 'formatPaid' : 'formatLocked')}
          </span>
        </>
      );
      return isPaid ? (
        <PaywallLink taskId={taskId} previousAction="format" className={ITEM}>
          {contents}
        </PaywallLink>
      ) : (
        <ModalLink modal="offer" with={{ topic: 'formats', taskId }} className={ITEM} onOpen={onOpen}>
          {contents}
        </ModalLink>
      );
    }
    case 'file':
      return (
        <a href={fileUrl} download onClick={onDownload} className={ITEM}>
          {name}
        </a>
      );
    default:
      return (
        <button type="submit" name="format" value={format} disabled={isSubmitting} className={ITEM}>
          {name}
        </button>
      );
  }
}

function FormatName({ format, width, height, bytes }: FormatOffer) {
  const { t } = useTranslation('result');
  const { name, outputContentType } = DOWNLOAD_FORMATS[format];
  const parts = [
    t('panel.details.pixels', { width, height }),
    bytes > 0 && t('estimate', { size: fileSize(roundedBytes(bytes), t) }),
    isLayered(outputContentType) && t('formatLayers'),
  ];
  return (
    <span className="flex flex-col py-1.5">
      {name}
      <span className="text-caption font-normal text-muted">
        <Parts parts={parts} />
      </span>
    </span>
  );
}

const MEGABYTE = 1_000_000;

/** An estimate: no tenths of many megabytes. */
const roundedBytes = (bytes: number): number =>
  bytes < 10 * MEGABYTE ? bytes : Math.round(bytes / MEGABYTE) * MEGABYTE;

/** A popover would cover the paywall. */
function CloseUnderModal({ popover }: { readonly popover: { readonly current: HTMLElement | null } }) {
  const isModalOpen = useIsModalOpen();
  useEffect(() => {
    if (isModalOpen) popover.current?.hidePopover();
  }, [isModalOpen, popover]);
  return null;
}
