import { useLocation } from '@remix-run/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { Notice } from '../../ui/content/notice';
import { SubmitButton } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { REVOKE_ADDRESS } from './key-address';
import { sendRevokeKey } from './key-requests';

export function RevokeKeyModal({ id, prefix, modal }: ModalBodyProps<'plugin-key:revoke'>) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemView | null>(null);

  async function revoke(event: FormEvent<HTMLFormElement>): Promise<void> {
    // The page's form leads back to the tab.
    if (mode === 'page') return;
    event.preventDefault();
    setSending(true);
    setProblem(null);
    const refusal = await sendRevokeKey(new FormData(event.currentTarget));
    setSending(false);
    setProblem(refusal);
    if (!refusal) await modal.close('revoked');
  }

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
        onSubmit={(event) => void revoke(event)}
      >
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
