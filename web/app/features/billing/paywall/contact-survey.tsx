import type { SubmissionResult } from '@conform-to/dom';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { TextArea, TextField } from '../../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { useForm } from '../../../ui/controls/use-form';
import { AppLink } from '../../../ui/page/app-link';
import type { SurveyVolume } from './contact-survey-form';

const VOLUMES = ['hundreds', 'thousands', 'more'] as const satisfies readonly SurveyVolume[];

interface ContactSurveyProps {
  /** The answers as an email; null before they are given. */
  readonly mailto: string | null;
  readonly result: SubmissionResult | null;
}

export function ContactSurvey({ mailto, result }: ContactSurveyProps) {
  const { t } = useTranslation('tiers');
  if (mailto === null) return <SurveyForm result={result} />;
  return (
    <MessagePage
      title={t('contact.ready')}
      actions={
        <>
          <a href={mailto} className={buttonClass('primary')}>
            {t('contact.send')}
          </a>
          <AppLink to="/pricing" className={buttonClass('quiet')}>
            {t('checkout.back')}
          </AppLink>
        </>
      }
    >
      <p>{t('contact.readyBody')}</p>
    </MessagePage>
  );
}

function SurveyForm({ result }: Pick<ContactSurveyProps, 'result'>) {
  const { t } = useTranslation('tiers');
  const { form, field } = useForm({
    result,
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
        <SubmitButton kind="primary">{t('contact.write')}</SubmitButton>
      </SubmitForm>
    </section>
  );
}
