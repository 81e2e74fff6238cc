import { useActionData, useLoaderData } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { SUPPORT_ADDRESS } from '../../http/internal-address';
import { MessagePage } from '../../ui/content/message-page';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { TextArea, TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { AppLink } from '../../ui/page/app-link';
import { Captcha } from '../captcha/captcha';
import { loadSurvey, sendSurvey } from './contact-survey.server';
import type { SurveyVolume } from './contact-survey-form';

export const handle = { i18n: ['tiers', 'support'] };
export const loader = loadSurvey;
export const action = sendSurvey;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

const VOLUMES = ['hundreds', 'thousands', 'more'] as const satisfies readonly SurveyVolume[];

export default function ContactSurveyPage() {
  const { t } = useTranslation('tiers');
  const sentTo = useActionData<typeof action>()?.sentTo ?? null;
  if (sentTo === null) return <SurveyForm />;
  return (
    <MessagePage
      title={t('contact.sent')}
      actions={
        <AppLink to="/pricing" className={buttonClass('quiet')}>
          {t('checkout.back')}
        </AppLink>
      }
    >
      <p>{t('contact.sentBody', { email: sentTo })}</p>
    </MessagePage>
  );
}

function SurveyForm() {
  const { t } = useTranslation(['tiers', 'support']);
  const { email, captchaAction } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { form, field } = useForm({
    result: answer?.result ?? null,
    load: () => import('./contact-survey-form'),
    parse: ({ parseSurvey }, fields) => parseSurvey(fields),
  });
  const volumeField = field('volume');
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-7 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-3">
        <h1 className="text-display-sm">{t('contact.title')}</h1>
        <p className="text-lg text-pretty text-muted">{t('contact.lead')}</p>
      </div>
      <SubmitForm
        {...form}
        method="post"
        className="flex flex-col gap-6 rounded-picture bg-raised p-6 shadow-soft sm:p-8"
      >
        {answer?.problem && <Notice>{t('support:contact.failed', { email: SUPPORT_ADDRESS })}</Notice>}
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-2 text-sm font-medium">{t('contact.volume')}</legend>
          {VOLUMES.map((volume, index) => (
            <label key={volume} className="flex min-h-11 items-center gap-3 rounded-control bg-well px-4">
              <input
                type="radio"
                name={volumeField.name}
                value={volume}
                defaultChecked={volumeField.entered === undefined ? index === 0 : volumeField.entered === volume}
                className="size-5 shrink-0 accent-(--accent)"
              />
              {t(`contact.volumes.${volume}`)}
            </label>
          ))}
        </fieldset>
        <TextField
          field={field('company')}
          label={t('contact.company')}
          error={t('contact.tooLong', { max: 200 })}
          autoComplete="organization"
          dir="auto"
        />
        <TextArea
          field={field('purpose')}
          label={t('contact.purpose')}
          error={t('contact.tooLong', { max: 2000 })}
          rows={4}
          dir="auto"
        />
        <TextField
          field={field('name')}
          label={t('support:contact.name')}
          error={t('support:contact.length', { max: 100 })}
          autoComplete="name"
          dir="auto"
        />
        <TextField
          field={field('email')}
          type="email"
          label={t('support:contact.email')}
          hint={t('support:contact.lead')}
          error={t('checkout.receipt.invalid')}
          autoComplete="email"
          defaultValue={email ?? undefined}
        />
        <SubmitButton kind="primary">{t('support:contact.send')}</SubmitButton>
        <Captcha action={captchaAction} />
      </SubmitForm>
    </section>
  );
}
