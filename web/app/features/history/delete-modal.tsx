import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';

export function DeleteModal({ taskIds, modal }: ModalBodyProps<'history:delete'>) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { pathname, search } = useLocation();
  const count = taskIds.length;
  const back = mode === 'page' ? returnAddressIn(search) : `${pathname}${search}`;
  return (
    <>
      <ModalTitle>{t('history.delete.title', { count })}</ModalTitle>
      <ModalLead>
        <p>{t('privacy.erase.body')}</p>
      </ModalLead>
      <SubmitForm method="post" action={preserveVersionParam('/history/delete', search)}>
        <input type="hidden" name={RETURN_PARAMETER} value={back} />
        {taskIds.map((taskId) => (
          <input key={taskId} type="hidden" name="taskId" value={taskId} />
        ))}
        <ModalActions>
          <SubmitButton kind="danger">{t('history.delete.confirm', { count })}</SubmitButton>
          <ModalChoice kind="quiet" hasInitialFocus onChoose={() => void modal.close('kept')}>
            {t('common:cancel')}
          </ModalChoice>
        </ModalActions>
      </SubmitForm>
    </>
  );
}
