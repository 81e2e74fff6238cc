import { isRouteErrorResponse, useLocation, useRouteError } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam } from '../../http/internal-address';
import { accountAddress } from '../../session/account-tabs';
import { MessagePage } from '../../ui/content/message-page';
import { ButtonLink } from '../../ui/controls/button';
import { useInterval } from '../plans/use-interval';
import { ErrorPage } from '../shell/error-page';
import { type RefusalReason, type RefusalView, refusalIn } from './refused-purchase';

const SUBSCRIPTION = accountAddress('subscription');

/** One next step; the address null asks again. */
const NEXT = {
  current: { to: SUBSCRIPTION, label: 'refused.next.manage' },
  unpaid: { to: '/subscription/pay', label: 'refused.next.pay' },
  pending: { to: SUBSCRIPTION, label: 'refused.next.see' },
  blocked: { to: SUBSCRIPTION, label: 'refused.next.see' },
  downgrade: { to: SUBSCRIPTION, label: 'refused.next.manage' },
  currency: { to: '/upgrade', label: 'refused.next.plans' },
  mobile: { to: SUBSCRIPTION, label: 'refused.next.see' },
  not_offered: { to: '/pricing', label: 'offer.plans' },
  not_for_sale: { to: '/pricing', label: 'offer.plans' },
  unconfirmed: { to: null, label: 'refused.next.check' },
} as const satisfies Record<RefusalReason, { readonly to: string | null; readonly label: string }>;

/** The boundary of routes that sell: what the buyer has, and where to change it. Other errors have the error page. */
export function PurchaseBoundary() {
  const error = useRouteError();
  const refusal = isRouteErrorResponse(error) ? refusalIn(error.data) : null;
  return refusal ? <RefusedPage refusal={refusal} /> : <ErrorPage error={error} />;
}

function RefusedPage({ refusal: { reason, has } }: { readonly refusal: RefusalView }) {
  const { t } = useTranslation('tiers');
  const { nameOf } = useInterval();
  const { pathname, search } = useLocation();
  const { to, label } = NEXT[reason];
  const values = {
    plan: t('plans.business.title'),
    other: t('plans.personal.title'),
    currency: has?.currency.toUpperCase() ?? '',
  };
  return (
    <MessagePage
      title={t(`refused.${reason}.title`, values)}
      actions={
        <ButtonLink kind="primary" href={to === null ? `${pathname}${search}` : preserveVersionParam(to, search)}>
          {t(label, values)}
        </ButtonLink>
      }
    >
      {has && (
        <p className="text-ink">
          {t('refused.has', {
            plan: `${t(`plans.${has.plan}.title`)} · ${nameOf(has.period)}`,
            price: has.price,
          })}
        </p>
      )}
      <p>{t(`refused.${reason}.body`, values)}</p>
      {reason !== 'unconfirmed' && <p>{t('refused.nothingCharged')}</p>}
    </MessagePage>
  );
}
