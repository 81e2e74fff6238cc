import { useLocation } from '@remix-run/react';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import CreditCard from 'lucide-react/icons/credit-card';
import Gift from 'lucide-react/icons/gift';
import ReceiptText from 'lucide-react/icons/receipt-text';
import Smartphone from 'lucide-react/icons/smartphone';
import Sparkles from 'lucide-react/icons/sparkles';
import { useTranslation } from 'react-i18next';
import { PURCHASES_ADDRESS } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { ModalLink } from '../modals/modal-link';
import type { AccountView } from './account-view.server';
import { OtherSubscriptions, PastSubscriptions, Price } from './further-subscriptions';
import type { PanelProps } from './panel';
import { Group, ROW, RowContents } from './rows';

export function SubscriptionPanel({ account: { subscription } }: PanelProps) {
  const { t } = useTranslation('account');
  const { plan, isIncomplete, isPastDue, canPayAgain, portalUrl, past, source } = subscription;
  // Another plan is refused while an invoice is open.
  const canChoosePlan = plan !== 'business' && source !== 'mobile' && !isPastDue;
  const canChangePeriod =
    plan !== 'free' && !isPastDue && subscription.price !== null && subscription.nextChargeAt !== null;
  return (
    <>
      <ModalTitle>{t('subscription.title')}</ModalTitle>
      {isIncomplete && <Notice>{t('subscription.incomplete')}</Notice>}
      {isPastDue && <Notice>{t('subscription.pastDue')}</Notice>}
      {canPayAgain && (
        <AppLink to="/subscription/pay" className={`self-start ${buttonClass('primary', 'small')} min-h-11`}>
          {t('subscription.payAgain')}
        </AppLink>
      )}
      <Group>
        <div className="flex flex-col gap-3 px-3 py-2">
          <div className="flex flex-col gap-1">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="text-title">{t(`subscription.plans.${plan}`)}</span>
              {subscription.price && <Price price={subscription.price} />}
            </p>
            <ModalLead>
              <p>{t(`subscription.about.${isPastDue ? 'free' : plan}`)}</p>
            </ModalLead>
          </div>
          <SubscriptionDetails subscription={subscription} />
          <Changes subscription={subscription} />
        </div>
      </Group>
      <Group>
        {canChoosePlan && (
          <AppLink to="/upgrade" className={ROW}>
            <RowContents icon={Sparkles}>
              {plan === 'free' ? t('subscription.seePlans') : t('subscription.upgrade')}
            </RowContents>
          </AppLink>
        )}
        {canChangePeriod && (
          <AppLink to="/upgrade" className={ROW}>
            <RowContents icon={CalendarClock}>{t('subscription.changePeriod')}</RowContents>
          </AppLink>
        )}
        {portalUrl && (
          <a href={portalUrl} className={ROW}>
            <RowContents icon={CreditCard}>{t('subscription.portal')}</RowContents>
          </a>
        )}
        <AppLink to={PURCHASES_ADDRESS} className={ROW}>
          <RowContents icon={ReceiptText}>{t('purchases.title')}</RowContents>
        </AppLink>
        <AppLink to="/redeem" className={ROW}>
          <RowContents icon={Gift}>{t('redeem.title')}</RowContents>
        </AppLink>
        {source !== 'mobile' && (
          <AppLink to="/redeem#app" className={ROW}>
            <RowContents icon={Smartphone}>{t('mobile.title')}</RowContents>
          </AppLink>
        )}
      </Group>
      {subscription.others.length > 0 && <OtherSubscriptions others={subscription.others} />}
      {past.length > 0 && <PastSubscriptions past={past} />}
    </>
  );
}

function SubscriptionDetails({ subscription }: { readonly subscription: AccountView['subscription'] }) {
  const { t } = useTranslation('account');
  const { source, isTrial, nextChargeAt, endsAt, giftEndsAt, price } = subscription;
  const isCancelled = endsAt !== null && source !== 'gift';
  return (
    <ul className="space-y-1 text-pretty text-muted empty:hidden">
      {isTrial && <li>{t('subscription.trial')}</li>}
      {nextChargeAt && price && (
        <li className="text-ink">{t('subscription.nextCharge', { price: price.text, date: nextChargeAt.text })}</li>
      )}
      {endsAt && (
        <li className="text-ink">
          {isCancelled
            ? t('subscription.cancelled', { date: endsAt.text })
            : t('subscription.endsAt', { date: endsAt.text })}
        </li>
      )}
      {giftEndsAt && <li className="text-ink">{t('subscription.gift', { date: giftEndsAt.text })}</li>}
      {source !== 'none' && <li>{t(`subscription.sources.${source}`)}</li>}
    </ul>
  );
}

function Changes({ subscription }: { readonly subscription: AccountView['subscription'] }) {
  const { t } = useTranslation('account');
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const { canCancel, canRestart, nextChargeAt } = subscription;
  if (!canCancel && !canRestart) return null;
  if (canCancel) {
    return (
      <ModalLink
        modal="subscription:cancel"
        with={{ until: nextChargeAt?.text ?? null, other: null }}
        className={`self-start ${buttonClass('quiet', 'small')} min-h-11`}
      >
        {t('subscription.cancel')}
      </ModalLink>
    );
  }
  return (
    <SubmitForm method="post" action={`/account/subscription/restart${mode === 'page' ? search : ''}`}>
      <SubmitButton kind="primary" size="small" className="min-h-11">
        {t('subscription.restart')}
      </SubmitButton>
    </SubmitForm>
  );
}
