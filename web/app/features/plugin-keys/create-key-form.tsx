import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { accountAddress } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { SubmitButton } from '../../ui/controls/submit-form';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { KEYS_ADDRESS } from './key-address';
import { type CreatedKeyView, type PluginKeysView, withCreated } from './plugin-keys';

interface CreateKeyFormProps {
  readonly pluginKeys: PluginKeysView;
  readonly onChange: (pluginKeys: PluginKeysView) => void;
}

interface CreatedResponse {
  readonly created: CreatedKeyView;
  /** Identifies the next form. */
  readonly requestId: string;
}

/** Creates a key by fetch, so that it is never part of the history. */
export function CreateKeyForm({ pluginKeys, onChange }: CreateKeyFormProps) {
  const { t } = useTranslation(['account', 'common']);
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const { isSending, problem, onSubmit } = useSentForm(
    (fields) => send<CreatedResponse>(KEYS_ADDRESS, fields),
    ({ created, requestId }) => onChange(withCreated(pluginKeys, created, requestId)),
    pluginKeys.problem,
  );

  return (
    <form
      method="post"
      action={`${accountAddress('pluginKey')}${mode === 'page' ? search : ''}`}
      onSubmit={onSubmit}
      className="flex flex-col items-start gap-3"
    >
      <input type="hidden" name="change" value="create" />
      <input type="hidden" name="requestId" value={pluginKeys.requestId} />
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <SubmitButton kind={pluginKeys.created ? 'quiet' : 'primary'} disabled={isSending} aria-busy={isSending}>
        {t('pluginKey.create')}
      </SubmitButton>
    </form>
  );
}
