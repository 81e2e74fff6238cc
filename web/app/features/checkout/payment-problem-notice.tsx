import { useTranslation } from 'react-i18next';
import { SUPPORT_ADDRESS } from '../../http/internal-address';
import { Notice, StatusNote } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { AppLink } from '../../ui/page/app-link';
import type { PaymentProblem } from './order';

interface PaymentProblemNoticeProps {
  readonly code: PaymentProblem;
  readonly requestId: string | null;
  readonly retryAddress: string;
}

export function PaymentProblemNotice({ code, requestId, retryAddress }: PaymentProblemNoticeProps) {
  const { t } = useTranslation(['tiers', 'common']);
  if (code === 'canceled') return <StatusNote>{t('checkout.canceled')}</StatusNote>;
  const reason = () => {
    switch (code) {
      case 'incomplete':
        return t('checkout.problem.incomplete');
      case 'wallet_failed':
        return t('checkout.problem.walletSetup');
      default:
        return t(`common:errors.${code}`);
    }
  };
  return (
    <Notice>
      <p className="font-medium">{t('checkout.problem.title')}</p>
      <p>{reason()}</p>
      <p className="pt-1 text-sm">
        {t('checkout.problem.persists')}{' '}
        <a href={`mailto:${SUPPORT_ADDRESS}`} className="underline underline-offset-4">
          {SUPPORT_ADDRESS}
        </a>
      </p>
      <AppLink to={retryAddress} reloadDocument className={`${buttonClass('quiet', 'small')} mt-3 min-h-11 self-start`}>
        {t('common:tryAgain')}
      </AppLink>
      {requestId && <p className="pt-1 text-sm opacity-80">{t('common:eventId', { id: requestId })}</p>}
    </Notice>
  );
}
