import { useLocation } from '@remix-run/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { accountAddress } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { SubmitButton } from '../../ui/controls/submit-form';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { sendCreateKey } from './key-requests';
import { type PluginKeysView, withCreated } from './plugin-keys';

interface CreateKeyFormProps {
  readonly pluginKeys: PluginKeysView;
  readonly onChange: (pluginKeys: PluginKeysView) => void;
}

/** Creates a key by fetch, so that it is never part of the history. */
export function CreateKeyForm({ pluginKeys, onChange }: CreateKeyFormProps) {
  const { t } = useTranslation(['account', 'common']);
  const { search } = useLocation();
  const { mode } = useModalFrame();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemView | null>(pluginKeys.problem);

  async function create(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    setSending(true);
    setProblem(null);
    const { body, problem: refusal } = await sendCreateKey(new FormData(event.currentTarget));
    setSending(false);
    setProblem(refusal);
    if (body) onChange(withCreated(pluginKeys, body.created, body.requestId));
  }

  return (
    <form
      method="post"
      action={`${accountAddress('pluginKey')}${mode === 'page' ? search : ''}`}
      onSubmit={(event) => void create(event)}
      className="flex flex-col items-start gap-3"
    >
      <input type="hidden" name="requestId" value={pluginKeys.requestId} />
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <SubmitButton kind={pluginKeys.created ? 'quiet' : 'primary'} disabled={isSending} aria-busy={isSending}>
        {t('pluginKey.create')}
      </SubmitButton>
    </form>
  );
}
