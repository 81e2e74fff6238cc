import { useTranslation } from 'react-i18next';
import { ModalLead, ModalTitle } from '../../../ui/modal/modal-frame';
import { useDocument } from '../../../ui/page/document-data';
import type { ModalBodyProps } from '../../modals/catalogue';
import { GotIt } from '../../modals/got-it';
import { FILES_PER_UPLOAD, UPLOAD_ERROR_MESSAGES } from './upload-error-reasons';

/** Explains why a picture can't be uploaded ('Upload media error', spec 1). */
export function UploadErrorModal({ reason, modal }: ModalBodyProps<'upload:error'>) {
  const { t } = useTranslation();
  const message = UPLOAD_ERROR_MESSAGES[reason];
  const { megabytes } = useDocument().limits;
  const values = { left: FILES_PER_UPLOAD, megabytes };
  return (
    <>
      <ModalTitle>{t(`${message}.title`, values)}</ModalTitle>
      <ModalLead>
        <p>{t(`${message}.body`, values)}</p>
        {reason === 'wrong_file_format' && <p>{t('uploadError.wrongFileFormat.formats')}</p>}
        {reason !== 'too_few_files' && <p>{t('originalSafe')}</p>}
      </ModalLead>
      <GotIt onChoose={() => void modal.close('gotIt')} />
    </>
  );
}
