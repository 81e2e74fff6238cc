import { TRIAL_DAYS } from '@clearframe/contract';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useTranslation } from 'react-i18next';
import { useInterval } from '../plans/use-interval';
import type { OrderView, PhotoView } from './checkout.server';
import { PriceLine, PriceLines } from './price-lines';

const THUMBNAIL_MAX_SIDE = 400;

export function OrderSummary({ order }: { readonly order: OrderView }) {
  const { t } = useTranslation('tiers');
  const { item, price, dueNow, next, trial, photo, withIntro } = order;
  const { nameOf } = useInterval();
  const isPlan = item.kind === 'plan';
  const title = isPlan
    ? `${t(`plans.${item.plan}.title`)} · ${nameOf(item.period)}`
    : t('packs.name', { count: item.exports });
  return (
    <section aria-labelledby="order" className="flex min-w-0 flex-col gap-6">
      <div className="flex flex-col gap-1">
        <h2 id="order" className="text-lg font-medium">
          {title}
        </h2>
        <p className="text-display-sm tabular-nums">
          {trial.isChosen ? t('checkout.daysFree', { days: TRIAL_DAYS }) : <span dir="ltr">{dueNow}</span>}
        </p>
        <Disclosure order={order} />
      </div>
      {photo && <Photo photo={photo} formats={isPlan && item.plan === 'business' ? 'JPEG, PNG, TIFF, PSD' : 'JPEG'} />}
      {/* Any other order costs what is written above. */}
      {(withIntro || trial.isChosen) && (
        <PriceLines>
          {withIntro && (
            <>
              <PriceLine term={title}>
                <span dir="ltr">{price}</span>
              </PriceLine>
              <PriceLine term={t('checkout.introLine')}>
                <span dir="ltr">{dueNow}</span>
              </PriceLine>
            </>
          )}
          {next && trial.isChosen && (
            <PriceLine term={t('checkout.dueOn', { date: next.date })}>
              <span dir="ltr">{next.price}</span>
            </PriceLine>
          )}
          <PriceLine term={t('checkout.due')} isTotal>
            <span dir="ltr">{dueNow}</span>
          </PriceLine>
        </PriceLines>
      )}
    </section>
  );
}

function Photo({ photo, formats }: { readonly photo: PhotoView; readonly formats: string }) {
  const { t } = useTranslation('tiers');
  const { url, thumbnailUrl, display, fileName, size } = photo;
  const scale = Math.min(1, THUMBNAIL_MAX_SIDE / Math.max(display.width, display.height));
  return (
    <figure className="flex items-center gap-4 lg:flex-col lg:items-start lg:gap-3">
      <img
        src={thumbnailUrl}
        srcSet={`${thumbnailUrl} ${Math.round(display.width * scale)}w, ${url} ${display.width}w`}
        sizes="(min-width: 64rem) 26rem, 5rem"
        width={display.width}
        height={display.height}
        alt={t('checkout.photo.alt')}
        className="size-20 shrink-0 rounded-card object-cover lg:size-auto lg:max-h-72 lg:w-auto lg:max-w-full lg:rounded-picture"
      />
      <figcaption className="flex min-w-0 flex-col text-sm">
        {fileName && <span className="truncate font-medium">{fileName}</span>}
        <span className="text-muted">{[formats, t('checkout.photo.size', size)].join(' · ')}</span>
        <span className="text-muted">{t('features.noWatermark')}</span>
      </figcaption>
    </figure>
  );
}

function Disclosure({ order }: { readonly order: OrderView }) {
  const { t } = useTranslation('tiers');
  const { every } = useInterval();
  const { item, next, trial, taskId, asksForEmail } = order;
  if (item.kind === 'plan') {
    const values = { ...next, every: every(item.period) };
    return (
      <p className="text-pretty text-muted">
        {trial.isChosen ? t('checkout.trialThen', values) : t('checkout.then', values)}
      </p>
    );
  }
  const isForOnePhoto = taskId !== null && item.exports === 1;
  return (
    <>
      {item.exports > 1 && <p className="text-pretty">{t('checkout.perDownload', { price: item.priceEach })}</p>}
      <p className="text-pretty text-muted">{t(taskId && asksForEmail ? 'checkout.forOnePhoto' : 'checkout.once')}</p>
      {/* A photo paid for alone leaves no downloads to lose. */}
      {!isForOnePhoto && (
        <p className="mt-2 flex gap-2.5 rounded-card bg-well px-4 py-3 text-sm">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 text-pretty">{t('checkout.packWarning')}</span>
        </p>
      )}
    </>
  );
}
