import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { ButtonLink } from '../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { archiveAddress } from './downloads';

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

/** Says how many of the selected photos are left out or are less than the full result. */
export function DownloadModal({ taskIds, ready, watermarked, small, modal }: ModalBodyProps<'history:download'>) {
  const { t } = useTranslation(['account', 'common']);
  const left = taskIds.length - ready;
  return (
    <>
      <ModalTitle>
        {ready > 0 ? t('history.downloads.title', { count: ready }) : t('history.downloadChosen')}
      </ModalTitle>
      <ModalLead>
        {ready === 0 && <p>{t('history.downloads.none')}</p>}
        {ready > 0 && left > 0 && <p>{t('history.downloads.left', { count: left })}</p>}
        {watermarked > 0 && <p>{t('history.downloads.watermarked', { count: watermarked })}</p>}
        {small > 0 && <p>{t('history.downloads.small', { count: small })}</p>}
      </ModalLead>
      <ModalActions>
        {ready > 0 && (
          <ButtonLink
            kind="primary"
            href={archiveAddress(taskIds)}
            download
            onClick={() => void modal.close('downloaded')}
          >
            {t('history.downloadCount', { count: ready })}
          </ButtonLink>
        )}
        <ModalChoice kind="quiet" onChoose={() => void modal.close('kept')}>
          {t('common:cancel')}
        </ModalChoice>
      </ModalActions>
    </>
  );
}
