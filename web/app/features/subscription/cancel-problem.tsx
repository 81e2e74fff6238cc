import type { ErrorCode } from '@clearframe/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../ui/content/notice';
import { LinkedText } from '../../ui/page/linked-text';

const LINKS = { contact: '/help/contact?source=cancel' };

/** Why a cancellation failed, and what to do next (spec 2, section 8). */
export function CancelProblem({ code }: { readonly code: ErrorCode }) {
  const { t } = useTranslation(['account', 'common']);
  return (
    <Notice>
      <p>{t(`common:errors.${code}`)}</p>
      <p>
        <LinkedText text={t('cancel.failed')} links={LINKS} />
      </p>
    </Notice>
  );
}
