import { useTranslation } from 'react-i18next';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import { GotIt } from '../../modals/got-it';
import { errorTexts } from './error-texts';

/** Explains why files can't be uploaded ('Upload media error', spec 1), and offers to go on without them. */
export function UploadErrorModal({ modal, ...error }: ModalBodyProps<'upload:error'>) {
  const { t } = useTranslation();
  const { mode } = useModalFrame();
  const { title, lines } = errorTexts(error, t);
  const rest = mode === 'page' ? 0 : (error.rest ?? 0);
  return (
    <>
      <ModalTitle>{title}</ModalTitle>
      <ModalLead>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
        {error.reason !== 'too_few_files' && error.reason !== 'empty' && <p>{t('originalSafe')}</p>}
      </ModalLead>
      {rest > 0 ? (
        <ModalActions>
          <ModalChoice kind="primary" onChoose={() => void modal.close('goOn')}>
            {t('uploadError.go', { rest })}
          </ModalChoice>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('gotIt')}>
            {t('cancel')}
          </ModalChoice>
        </ModalActions>
      ) : (
        <GotIt onChoose={() => void modal.close('gotIt')} />
      )}
    </>
  );
}
