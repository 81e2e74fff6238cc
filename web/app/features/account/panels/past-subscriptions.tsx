import { useTranslation } from 'react-i18next';
import type { PastView } from '../view/account-view';
import { Group } from './rows';

/** Subscriptions there once were. */
export function PastSubscriptions({ past }: { readonly past: readonly PastView[] }) {
  const { t } = useTranslation('account');
  return (
    <Group title={t('subscription.past')}>
      <ul className="flex flex-col">
        {past.map(({ subscriptionId, plan, price, from, to }) => (
          <li key={subscriptionId} className="flex flex-wrap justify-between gap-x-4 px-3 py-2">
            <span className="font-medium">{plan ? t(`subscription.plans.${plan}`) : t('subscription.otherPlan')}</span>
            {price && (
              <span className="text-muted">
                <span dir="ltr">{price.text}</span> {t(`every.${price.period}`)}
              </span>
            )}
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
