import { useLocation } from '@remix-run/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../../http/problem';
import { Notice } from '../../../ui/content/notice';
import { Button } from '../../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import { sendPreference } from '../view/account-requests';

export function MarketingConsentModal({ modal }: ModalBodyProps<'consent:marketing'>) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemView | null>(null);

  async function accept(event: FormEvent<HTMLFormElement>): Promise<void> {
    // The page's form leads back to the page before.
    if (mode === 'page') return;
    event.preventDefault();
    setSending(true);
    setProblem(null);
    const result = await sendPreference(new FormData(event.currentTarget));
    setSending(false);
    if ('code' in result) setProblem(result);
    else await modal.close('accepted');
  }

  return (
    <>
      <ModalTitle>{t('marketing.title')}</ModalTitle>
      <ModalLead>
        <p>{t('marketing.body')}</p>
      </ModalLead>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <form
        method="post"
        action={`/consents/marketing${mode === 'page' ? search : ''}`}
        onSubmit={(event) => void accept(event)}
      >
        <input type="hidden" name="change" value="marketing" />
        <input type="hidden" name="isGranted" value="yes" />
        <ModalActions>
          <Button type="submit" kind="quiet" disabled={isSending}>
            {t('marketing.accept')}
          </Button>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('notAccepted')}>
            {t('marketing.decline')}
          </ModalChoice>
        </ModalActions>
      </form>
    </>
  );
}
