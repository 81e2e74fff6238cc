import { useTranslation } from 'react-i18next';
import type { EndingSubscription, ErasureView } from './account-view';

export function EraseLosses({ erasure }: { readonly erasure: ErasureView }) {
  const { t } = useTranslation('account');
  const { subscription, hasMobileSubscription, giftUntil, credits } = erasure;
  return (
    <ul className="list-disc space-y-2 ps-5 text-pretty marker:text-muted">
      {subscription && <SubscriptionLoss subscription={subscription} />}
      {hasMobileSubscription && <li>{t('erase.losses.mobile')}</li>}
      {giftUntil && <li>{t('erase.losses.gift', { date: giftUntil.text })}</li>}
      {credits > 0 && <li>{t('erase.losses.credits', { count: credits })}</li>}
      <li>{t('erase.losses.records')}</li>
    </ul>
  );
}

function SubscriptionLoss({ subscription: { plan, kind, until } }: { readonly subscription: EndingSubscription }) {
  const { t } = useTranslation('account');
  const name = t(`subscription.plans.${plan}`);
  if (kind !== 'paid') return <li>{t(`erase.losses.${kind}`, { plan: name })}</li>;
  return (
    <li>
      {until ? t('erase.losses.paid', { plan: name, date: until.text }) : t('erase.losses.paidUnknown', { plan: name })}
    </li>
  );
}
