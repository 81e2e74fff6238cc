import { useActionData, useLoaderData } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SUPPORT_ADDRESS } from '../../http/internal-address';
import { lastEventId } from '../../telemetry/error-reports';
import { buttonClass } from '../../ui/controls/button';
import { TextArea, TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { AppLink, TEXT_LINK } from '../../ui/page/app-link';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { Captcha } from '../captcha/captcha';
import type { loadContact, submitContact } from './contact.server';
import type { ContactKind } from './contact-form';
import { PROBLEM_TOAST_MS } from './sent-flash';

type Loaded = Awaited<ReturnType<ReturnType<typeof loadContact>>>;

interface ContactPageProps {
  readonly kind: ContactKind;
}

/** Of both forms. */
export function ContactPage({ kind }: ContactPageProps) {
  const { callUrl } = useLoaderData<Loaded>();
  const { t } = useTranslation(['support', 'common']);
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-7 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-3">
        <h1 className="text-display-sm">{kind === 'call' ? t('call.title') : t('common:contactUs')}</h1>
        <p className="text-lg text-pretty text-muted">{kind === 'call' ? t('call.lead') : t('contact.lead')}</p>
      </div>
      {callUrl === null ? (
        <ContactForm kind={kind} />
      ) : (
        <a href={callUrl} className={`self-start ${buttonClass('primary')}`}>
          {t('call.choose')}
        </a>
      )}
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <AppLink to="/help" className={TEXT_LINK}>
          {t('help.title')}
        </AppLink>
        <a href={`mailto:${SUPPORT_ADDRESS}`} className={TEXT_LINK}>
          <bdi>{SUPPORT_ADDRESS}</bdi>
        </a>
      </p>
    </section>
  );
}

function ContactForm({ kind }: ContactPageProps) {
  const { email, captchaAction, lengths, summary } = useLoaderData<Loaded>();
  const answer = useActionData<ReturnType<typeof submitContact>>();
  const { t } = useTranslation(['support', 'tiers']);
  const { form, field } = useForm({
    result: answer?.result ?? null,
    load: () => import('./contact-form'),
    parse: ({ parseContact }, fields) => parseContact(fields, kind),
  });
  const lengthError = (name: keyof Loaded['lengths']): string => t('contact.length', { max: lengths[name] });
  const problem = answer?.problem;
  return (
    <SubmitForm
      {...form}
      method="post"
      className="flex flex-col gap-6 rounded-picture bg-raised p-6 shadow-soft sm:p-8"
    >
      {problem && (
        <FlashNotice
          id={problem.requestId}
          kind="problem"
          durationMs={PROBLEM_TOAST_MS}
          text={t('contact.failed', { email: SUPPORT_ADDRESS })}
        />
      )}
      <TextField
        field={field('name')}
        label={t('contact.name')}
        error={lengthError('name')}
        autoComplete="name"
        dir="auto"
      />
      <TextField
        field={field('email')}
        type="email"
        label={t('contact.email')}
        error={t('tiers:checkout.receipt.invalid')}
        autoComplete="email"
        defaultValue={email ?? undefined}
      />
      {kind === 'call' ? (
        <TextField
          field={field('time')}
          label={t('call.time')}
          hint={t('call.zone')}
          error={lengthError('time')}
          dir="auto"
        />
      ) : (
        <TextField field={field('subject')} label={t('contact.subject')} error={lengthError('subject')} dir="auto" />
      )}
      <TextArea
        field={field('body')}
        label={kind === 'call' ? t('call.topic') : t('contact.body')}
        hint={t('contact.kept')}
        error={lengthError('body')}
        rows={kind === 'call' ? 4 : 8}
        dir="auto"
      />
      <SentWith summary={summary} />
      <SubmitButton kind="primary">{t('contact.send')}</SubmitButton>
      <Captcha action={captchaAction} />
    </SubmitForm>
  );
}

/** Shows what is sent with the message. Without an error in the address, that is the last one of this visit. */
function SentWith({ summary }: { readonly summary: Loaded['summary'] }) {
  const { t } = useTranslation('support');
  const { accountId, plan, device, browser } = summary;
  const [eventId, setEventId] = useState(summary.eventId);
  useEffect(() => setEventId(summary.eventId || lastEventId()), [summary.eventId]);
  const rows = [
    ['account', accountId],
    ['plan', plan],
    ['event', eventId],
    ['device', device],
    ['browser', browser],
  ] as const;
  const known = rows.filter(([, value]) => value);
  if (known.length === 0) return null;
  return (
    <section aria-labelledby="sent-with" className="flex flex-col gap-2 text-sm">
      <h2 id="sent-with" className="font-medium">
        {t('contact.summary.title')}
      </h2>
      <dl className="flex flex-col gap-1.5">
        {known.map(([name, value]) => (
          <div key={name} className="flex flex-wrap gap-x-3">
            <dt className="text-muted">{t(`contact.summary.${name}`)}</dt>
            <dd className="min-w-0 break-words">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <input type="hidden" name="eventId" value={eventId} />
    </section>
  );
}
