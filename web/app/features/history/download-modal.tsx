import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { archiveAddress } from './downloads';

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
