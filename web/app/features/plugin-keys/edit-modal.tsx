import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { Notice } from '../../ui/content/notice';
import { SubmitButton } from '../../ui/controls/submit-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import { EDIT_ADDRESS, KEYS_ADDRESS } from './key-address';
import { isOfEnd, KeyFields } from './key-options';
import type { PluginKeyView } from './plugin-keys';

export function EditKeyModal({ value, problem: initial = null, onSaved, modal }: ModalBodyProps<'plugin-key:edit'>) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const { isSending, problem, onSubmit } = useSentForm(
    (fields) => send<{ changed: PluginKeyView }>(KEYS_ADDRESS, fields),
    ({ changed }) => {
      onSaved?.(changed);
      return modal.close('saved');
    },
    initial,
  );

  return (
    <>
      <ModalTitle>{t('pluginKey.edit.title')}</ModalTitle>
      <ModalLead>
        <p>
          <bdi lang="en" className="font-mono text-ink">
            {value.prefix}
          </bdi>
        </p>
      </ModalLead>
      <form
        method="post"
        action={`${EDIT_ADDRESS}${mode === 'page' ? search : ''}`}
        // The page's form leads back to the tab.
        onSubmit={mode === 'page' ? undefined : onSubmit}
        className="flex flex-col gap-4"
      >
        <input type="hidden" name="change" value="edit" />
        <input type="hidden" name="keyId" value={value.id} />
        <KeyFields kind={value.kind} choice={value} problem={problem} />
        {problem && !isOfEnd(problem) && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
        <ModalActions>
          <SubmitButton kind="primary" disabled={isSending} aria-busy={isSending}>
            {t('pluginKey.edit.save')}
          </SubmitButton>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('kept')}>
            {t('pluginKey.edit.keep')}
          </ModalChoice>
        </ModalActions>
      </form>
    </>
  );
}
