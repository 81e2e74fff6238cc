import { useTranslation } from 'react-i18next';
import { buttonClass } from '../../ui/controls/button';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalBodyProps } from '../modals/catalogue';
import { GotIt } from '../modals/got-it';
import { errorTexts } from './error-texts';
import type { UploadError } from './upload-error';

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
        <p>{t('nothingCharged')}</p>
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
        <NextStep error={error} modal={modal} />
      )}
    </>
  );
}

type NextStepProps = Pick<ModalBodyProps<'upload:error'>, 'modal'> & { readonly error: UploadError };

function NextStep({ error: { reason, left = 0 }, modal }: NextStepProps) {
  const { t } = useTranslation();
  const { mode } = useModalFrame();
  // Only waiting helps.
  if (reason === 'week_size' || reason === 'week_duration') return <GotIt onChoose={() => void modal.close('gotIt')} />;
  const isFull = reason === 'too_many_files' && left === 0;
  const isAgain = reason === 'too_few_files' || reason === 'too_many_files';
  return (
    <ModalActions>
      {isFull ? (
        <AppLink to="/" className={buttonClass('primary')}>
          {t('startOver')}
        </AppLink>
      ) : (
        <ModalChoice kind="primary" onChoose={() => void modal.close('choose')}>
          {t(isAgain ? 'tryAgain' : 'uploadError.choose')}
        </ModalChoice>
      )}
      {mode === 'dialog' && (
        <ModalChoice kind="quiet" onChoose={() => void modal.close('gotIt')}>
          {t('gotIt')}
        </ModalChoice>
      )}
    </ModalActions>
  );
}
