import { useTranslation } from 'react-i18next';
import { SUPPORT_ADDRESS } from '../../../http/internal-address';
import { Notice, StatusNote } from '../../../ui/content/notice';
import type { PaymentProblem } from './order';

interface PaymentProblemNoticeProps {
  readonly code: PaymentProblem;
  /** Null when unknown. */
  readonly requestId: string | null;
}

export function PaymentProblemNotice({ code, requestId }: PaymentProblemNoticeProps) {
  const { t } = useTranslation(['tiers', 'common']);
  if (code === 'canceled') return <StatusNote>{t('checkout.canceled')}</StatusNote>;
  return (
    <Notice>
      <p className="font-medium">{t('checkout.problem.title')}</p>
      <p>{code === 'incomplete' ? t('checkout.problem.incomplete') : t(`common:errors.${code}`)}</p>
      <p className="pt-1 text-sm">
        {t('checkout.problem.persists')}{' '}
        <a href={`mailto:${SUPPORT_ADDRESS}`} className="underline underline-offset-4">
          {SUPPORT_ADDRESS}
        </a>
      </p>
      {requestId && <p className="pt-1 text-sm opacity-80">{t('common:eventId', { id: requestId })}</p>}
    </Notice>
  );
}
