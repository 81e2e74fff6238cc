import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react';
import { useLocation } from '@remix-run/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/content/notice';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { TextField } from '../../../ui/controls/text-field';
import { useFormModule } from '../../../ui/controls/use-form-module';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import type { EraseFields } from './erase-form';
import { EraseLosses } from './erase-losses';

interface EraseContentsProps extends ModalBodyProps<'account:erase'> {
  /** The action's answer to an invalid form. */
  readonly result?: SubmissionResult | null;
}

/** States what is lost, and asks for the email address, so that no account is erased by accident. */
export function EraseModal({ erasure, result = null, modal }: EraseContentsProps) {
  const { t } = useTranslation('account');
  const { email } = erasure;
  const { place } = useModalFrame();
  const { search } = useLocation();
  const [isConfirmed, setConfirmed] = useState(false);
  const schema = useFormModule(() => import('./erase-form'));
  const [form, fields] = useForm<EraseFields>({
    lastResult: result,
    onValidate: schema && (({ formData }) => schema.parseErase(formData, email)),
  });
  const { sure, email: written } = fields;
  return (
    <>
      <ModalTitle>{email === null ? t('erase.guestTitle') : t('erase.title')}</ModalTitle>
      <ModalLead>
        <p>{t('erase.lead')}</p>
      </ModalLead>
      <EraseLosses erasure={erasure} />
      <SubmitForm
        {...getFormProps(form)}
        method="post"
        action={`/account/erase${place === 'page' ? search : ''}`}
        onChange={(event) =>
          setConfirmed(schema?.parseErase(new FormData(event.currentTarget), email).status === 'success')
        }
        className="flex flex-col gap-5"
      >
        {email === null ? (
          <>
            <label className="flex min-h-11 items-center gap-3">
              <input
                id={sure.id}
                type="checkbox"
                name={sure.name}
                value="yes"
                aria-invalid={sure.errors ? true : undefined}
                aria-describedby={sure.errors ? sure.errorId : undefined}
                className="size-5 shrink-0 accent-(--accent)"
              />
              {t('erase.sure')}
            </label>
            {sure.errors && <Notice id={sure.errorId}>{t('erase.notChecked')}</Notice>}
          </>
        ) : (
          <TextField
            key={written.key}
            id={written.id}
            name={written.name}
            label={
              <>
                {t('erase.write')} <bdi className="break-words text-muted">{email}</bdi>
              </>
            }
            error={written.errors ? t('erase.notTheSame') : null}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
        <ModalActions>
          <SubmitButton kind="danger" disabled={schema !== undefined && !isConfirmed}>
            {t('erase.confirm')}
          </SubmitButton>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('kept')}>
            {t('erase.keep')}
          </ModalChoice>
        </ModalActions>
      </SubmitForm>
    </>
  );
}
