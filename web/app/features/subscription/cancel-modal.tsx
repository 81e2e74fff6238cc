import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { cancelAddress } from './cancel-address';
import { CancelProblem } from './cancel-problem';

export function CancelModal({ until, other, problem, modal }: ModalBodyProps<'subscription:cancel'>) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  const { search } = useLocation();
  return (
    <>
      <ModalTitle>{t('cancel.title')}</ModalTitle>
      <ModalLead>
        <p>{until === null ? t('cancel.bodyNow') : t('cancel.body', { date: until })}</p>
      </ModalLead>
      {problem && <CancelProblem code={problem} />}
      <SubmitForm
        method="post"
        action={mode === 'page' ? `/account/subscription/cancel${search}` : cancelAddress(other)}
      >
        <ModalActions>
          <SubmitButton kind="danger">{t('cancel.confirm')}</SubmitButton>
          <ModalChoice kind="quiet" hasInitialFocus onChoose={() => void modal.close('kept')}>
            {t('cancel.keep')}
          </ModalChoice>
        </ModalActions>
      </SubmitForm>
    </>
  );
}
