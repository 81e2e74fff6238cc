import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { Notice } from '../../ui/content/notice';
import { SubmitButton } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { KEYS_ADDRESS, REVOKE_ADDRESS } from './key-address';

export function RevokeKeyModal({ id, prefix, modal }: ModalBodyProps<'plugin-key:revoke'>) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const { isSending, problem, onSubmit } = useSentForm(
    (fields) => send(KEYS_ADDRESS, fields),
    () => modal.close('revoked'),
  );

  return (
    <>
      <ModalTitle>{t('pluginKey.revoke.title')}</ModalTitle>
      <ModalLead>
        <p>
          <bdi lang="en" className="font-mono text-ink">
            {prefix}
          </bdi>
        </p>
        <p>{t('pluginKey.revoke.body')}</p>
      </ModalLead>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <form
        method="post"
        action={`${REVOKE_ADDRESS}${mode === 'page' ? search : ''}`}
        // The page's form leads back to the tab.
        onSubmit={mode === 'page' ? undefined : onSubmit}
      >
        <input type="hidden" name="change" value="revoke" />
        <input type="hidden" name="keyId" value={id} />
        <ModalActions>
          <SubmitButton kind="danger" disabled={isSending} aria-busy={isSending}>
            {t('pluginKey.revoke.confirm')}
          </SubmitButton>
          <ModalChoice kind="quiet" hasInitialFocus onChoose={() => void modal.close('kept')}>
            {t('pluginKey.revoke.keep')}
          </ModalChoice>
        </ModalActions>
      </form>
    </>
  );
}
