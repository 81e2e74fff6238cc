import { KEY_KINDS, type KeyKind, TEST_PICTURES_PER_DAY } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send } from '../../http/browser-client';
import { useSentForm } from '../../http/use-sent-form';
import { accountAddress } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { SegmentedSelector } from '../../ui/controls/segmented-selector';
import { SubmitButton } from '../../ui/controls/submit-form';
import { useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { KEYS_ADDRESS } from './key-address';
import { isOfEnd, KeyOptions } from './key-options';
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
  const [kind, setKind] = useState<KeyKind>(pluginKeys.mayCreateLive ? 'live' : 'test');
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
      <SegmentedSelector
        name="kind"
        label={t('pluginKey.kind.label')}
        options={KEY_KINDS.map((key) => ({
          key,
          label: t(`pluginKey.kind.${key}`),
          isDisabled: key === 'live' && !pluginKeys.mayCreateLive,
        }))}
        selected={kind}
        onSelect={setKind}
      />
      <p className="text-sm text-pretty text-muted">{t('pluginKey.kind.testBody', { count: TEST_PICTURES_PER_DAY })}</p>
      {!pluginKeys.mayCreateLive && (
        <p className="text-sm text-pretty text-muted">
          {t('pluginKey.kind.liveBody')}{' '}
          <AppLink to="/upgrade" className={TEXT_LINK}>
            {t('pluginKey.kind.plans')}
          </AppLink>
        </p>
      )}
      <KeyOptions kind={kind} problem={problem} />
      {problem && !isOfEnd(problem) && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <SubmitButton kind={pluginKeys.created ? 'quiet' : 'primary'} disabled={isSending} aria-busy={isSending}>
        {t('pluginKey.create')}
      </SubmitButton>
    </form>
  );
}
