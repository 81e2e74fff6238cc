import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { ModalLink } from '../modals/modal-link';
import { useInterval } from '../plans/use-interval';
import type { AccountView } from './account-view.server';
import { Group } from './rows';

type Subscriptions = AccountView['subscription'];

export function Price({ price: { text, period } }: { readonly price: NonNullable<Subscriptions['price']> }) {
  const { every } = useInterval();
  return (
    <span className="text-muted">
      <span dir="ltr">{text}</span> {every(period)}
    </span>
  );
}

export function OtherSubscriptions({ others }: { readonly others: Subscriptions['others'] }) {
  const { t } = useTranslation('account');
  const charged = others.filter(({ canCancel }) => canCancel).length;
  return (
    <>
      {charged > 0 && <Notice>{t('subscription.several', { count: charged + 1 })}</Notice>}
      {others.map(({ subscriptionId, provider, plan, price, isUnpaid, nextChargeAt, endsAt, canCancel }) => (
        <Group key={subscriptionId}>
          <div className="flex flex-col gap-3 px-3 py-2">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="text-title">{plan ? t(`subscription.plans.${plan}`) : t('subscription.otherPlan')}</span>
              {price && <Price price={price} />}
            </p>
            <ul className="space-y-1 text-pretty text-muted">
              {nextChargeAt && price && (
                <li className="text-ink">
                  {t('subscription.nextCharge', { price: price.text, date: nextChargeAt.text })}
                </li>
              )}
              {isUnpaid && <li className="text-ink">{t('subscription.overdue')}</li>}
              {endsAt && <li className="text-ink">{t('subscription.cancelled', { date: endsAt.text })}</li>}
              <li>{t(`subscription.sources.${provider}`)}</li>
            </ul>
            {canCancel && (
              <ModalLink
                modal="subscription:cancel"
                with={{ until: nextChargeAt?.text ?? null, other: { provider, subscriptionId } }}
                className={`self-start ${buttonClass('quiet', 'small')} min-h-11`}
              >
                {t('subscription.cancel')}
              </ModalLink>
            )}
          </div>
        </Group>
      ))}
    </>
  );
}

export function PastSubscriptions({ past }: { readonly past: Subscriptions['past'] }) {
  const { t } = useTranslation('account');
  return (
    <Group title={t('subscription.past')}>
      <ul className="flex flex-col">
        {past.map(({ subscriptionId, plan, price, from, to }) => (
          <li key={subscriptionId} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
            <span className="font-medium">{plan ? t(`subscription.plans.${plan}`) : t('subscription.otherPlan')}</span>
            {price && <Price price={price} />}
            <span className="w-full text-sm text-muted">
              {to
                ? t('subscription.fromTo', { from: from.text, to: to.text })
                : t('subscription.from', { from: from.text })}
            </span>
          </li>
        ))}
      </ul>
    </Group>
  );
}
