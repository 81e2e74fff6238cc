import { useLocation } from '@remix-run/react';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../../ui/content/notice';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../../modals/catalogue';
import { isConfirmed } from './erase-confirmation';
import { EraseLosses } from './erase-losses';

interface EraseContentsProps extends ModalBodyProps<'account:erase'> {
  /** The form came back: what was written was something else. */
  readonly wasRefused?: boolean;
}

/** Says what is lost, and asks for the e-mail address, so that an account is not erased by accident. */
export function EraseModal({ erasure, wasRefused = false, modal }: EraseContentsProps) {
  const { t } = useTranslation('account');
  const { email } = erasure;
  const { place } = useModalFrame();
  const { search } = useLocation();
  const [isConfirming, setConfirming] = useState(false);
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  const id = useId();
  return (
    <>
      <ModalTitle>{email === null ? t('erase.guestTitle') : t('erase.title')}</ModalTitle>
      <ModalLead>
        <p>{t('erase.lead')}</p>
      </ModalLead>
      <EraseLosses erasure={erasure} />
      {wasRefused && (
        <Notice id={`${id}-refused`}>{email === null ? t('erase.notChecked') : t('erase.notTheSame')}</Notice>
      )}
      <SubmitForm
        method="post"
        action={`/account/erase${place === 'page' ? search : ''}`}
        onChange={(event) => setConfirming(isConfirmed(email, new URLSearchParams(fieldsOf(event.currentTarget))))}
        className="flex flex-col gap-5"
      >
        {email === null ? (
          <label className="flex min-h-11 items-center gap-3">
            <input type="checkbox" name="sure" value="yes" className="size-5 shrink-0 accent-(--accent)" />
            {t('erase.sure')}
          </label>
        ) : (
          <div className="flex flex-col gap-1.5">
            <label htmlFor={id} className="text-sm font-medium text-pretty">
              {t('erase.write')} <bdi className="break-words text-muted">{email}</bdi>
            </label>
            <input
              id={id}
              name="email"
              type="email"
              autoComplete="off"
              dir="ltr"
              required
              aria-invalid={wasRefused || undefined}
              aria-describedby={wasRefused ? `${id}-refused` : undefined}
              className="field"
            />
          </div>
        )}
        <ModalActions>
          <SubmitButton kind="danger" disabled={isLive && !isConfirming}>
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

const fieldsOf = (form: HTMLFormElement): string[][] =>
  [...new FormData(form)].map(([name, value]) => [name, String(value)]);
