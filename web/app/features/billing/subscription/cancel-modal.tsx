import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';

export function CancelModal({ until, modal }: ModalBodyProps<'subscription:cancel'>) {
  const { t } = useTranslation('account');
  const { mode } = useModalFrame();
  const { search } = useLocation();
  return (
    <>
      <ModalTitle>{t('cancel.title')}</ModalTitle>
      <ModalLead>
        <p>{until === null ? t('cancel.bodyNow') : t('cancel.body', { date: until })}</p>
      </ModalLead>
      <SubmitForm method="post" action={`/account/subscription/cancel${mode === 'page' ? search : ''}`}>
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
