import type { WebhookEventType } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { Notice } from '../../ui/content/notice';
import { HiddenFields } from '../../ui/controls/choices';
import { TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';

/** Their messages; keys have no dots. */
const EVENTS = {
  'task.completed': 'taskCompleted',
  'task.failed': 'taskFailed',
  'batch.completed': 'batchCompleted',
  'video.completed': 'videoCompleted',
  'video.failed': 'videoFailed',
  'usage.threshold': 'usageThreshold',
} as const satisfies Record<WebhookEventType, string>;
const EVENT_TYPES = Object.keys(EVENTS) as WebhookEventType[];

interface EndpointFormProps {
  /** What is changed; null to add one, with all events. */
  readonly endpoint: { readonly url: string; readonly events: readonly WebhookEventType[] } | null;
  readonly requestId: string;
  /** Answer to this form. */
  readonly result: SubmissionResult | null;
  readonly problem: ProblemView | null;
}

export function EndpointForm({ endpoint, requestId, result, problem }: EndpointFormProps) {
  const { t } = useTranslation(['webhooks', 'common']);
  const { form, field, chosen } = useForm({
    result,
    load: () => import('./webhook-form'),
    parse: ({ parseEndpointForm }, fields) => parseEndpointForm(fields),
  });
  const url = field('url');
  const events = field('events');
  const selected = chosen('events') ?? endpoint?.events ?? EVENT_TYPES;
  const isRefusedAddress = result?.error?.url?.[0] === problem?.code;
  return (
    <SubmitForm {...form} method="post" preventScrollReset className="flex flex-col gap-5">
      <HiddenFields fields={{ change: 'save', requestId }} />
      <TextField
        field={url}
        type="url"
        label={t('url.label')}
        hint={t('url.hint')}
        error={problem && isRefusedAddress ? t(`common:errors.${problem.code}`) : t('url.invalid')}
        defaultValue={endpoint?.url}
        placeholder="https://"
        autoComplete="off"
      />
      <fieldset
        className="flex flex-col gap-1.5"
        aria-describedby={events.isInvalid ? `${events.id}-error` : undefined}
      >
        <legend className="mb-1.5 text-sm font-medium">{t('events.label')}</legend>
        {EVENT_TYPES.map((type, index) => (
          <label key={type} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name={events.name}
              value={type}
              defaultChecked={selected.includes(type)}
              aria-invalid={(events.isInvalid && index === 0) || undefined}
              className="size-5 shrink-0 accent-(--accent)"
            />
            <span className="min-w-0 text-pretty">
              {t(`events.${EVENTS[type]}`)}{' '}
              <bdi lang="en" className="block font-mono text-sm text-muted sm:inline">
                {type}
              </bdi>
            </span>
          </label>
        ))}
        {events.isInvalid && <Notice id={`${events.id}-error`}>{t('events.none')}</Notice>}
      </fieldset>
      {problem && !isRefusedAddress && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <SubmitButton kind="primary" className="self-start">
        {endpoint ? t('endpoint.save') : t('add.submit')}
      </SubmitButton>
    </SubmitForm>
  );
}
