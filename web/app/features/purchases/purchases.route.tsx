import { priceOf } from '@clearframe/contract';
import { useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { accountAddress, PURCHASES_ADDRESS } from '../../session/account-tabs';
import { buttonClass } from '../../ui/controls/button';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { useInterval } from '../plans/use-interval';
import { loadPurchases, type PurchaseView } from './purchases.server';

export const handle = { i18n: ['account', 'tiers'] };
export const loader = loadPurchases;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function PurchasesPage() {
  const { purchases, olderAfter, email } = useLoaderData<typeof loader>();
  const { t } = useTranslation('account');
  return (
    <section className="mx-auto flex w-full max-w-2xl flex-1 flex-col gap-6 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-2">
        <h1 className="text-display-sm">{t('purchases.title')}</h1>
        {purchases.length > 0 && email && <p className="text-pretty text-muted">{t('purchases.mailed', { email })}</p>}
      </div>
      {purchases.length === 0 ? (
        <p className="text-lg text-muted">{t('purchases.none')}</p>
      ) : (
        <ul className="flex flex-col gap-1 rounded-card bg-well p-2">
          {purchases.map((purchase) => (
            <Purchase key={purchase.number} purchase={purchase} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-3">
        {olderAfter !== null && (
          <AppLink
            to={`${PURCHASES_ADDRESS}?${new URLSearchParams({ after: olderAfter })}`}
            className={buttonClass('quiet')}
          >
            {t('purchases.older')}
          </AppLink>
        )}
        <AppLink to={accountAddress('general')} className={buttonClass('quiet')}>
          {t('title')}
        </AppLink>
      </div>
    </section>
  );
}

function Purchase({ purchase }: { readonly purchase: PurchaseView }) {
  const { t } = useTranslation('account');
  const { number, item, provider, date, amount, refunded } = purchase;
  const nameOf = useItemName();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 px-3 py-2.5">
      <span className="font-medium">{nameOf(item)}</span>
      <span className="tabular-nums" dir="ltr">
        {amount}
      </span>
      <span className="flex w-full flex-wrap gap-x-3 text-sm text-muted">
        <time dateTime={date.iso}>{date.text}</time>
        <span>{t(`subscription.sources.${provider}`)}</span>
        <span>{t('purchases.number', { number })}</span>
        {refunded && <span className="text-ink">{t('purchases.refunded', { amount: refunded })}</span>}
        <a
          href={invoiceAddress(number)}
          download
          aria-label={`${t('purchases.invoice')}, ${t('purchases.number', { number })}`}
          className={`${TEXT_LINK} ms-auto`}
        >
          {t('purchases.invoice')}
        </a>
      </span>
    </li>
  );
}

const invoiceAddress = (number: string): string => `${PURCHASES_ADDRESS}/${encodeURIComponent(number)}/invoice`;

function useItemName(): (item: string) => string {
  const { t } = useTranslation(['account', 'tiers']);
  const { nameOf } = useInterval();
  return (item) => {
    const price = priceOf(item);
    switch (price?.kind) {
      case 'pack':
        return t('tiers:packs.name', { count: price.exports });
      case 'plan':
        return `${t(`tiers:plans.${price.plan}.title`)} · ${nameOf(price.period)}`;
      default:
        return t('subscription.otherPlan');
    }
  };
}
