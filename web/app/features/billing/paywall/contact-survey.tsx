import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { buttonClass } from '../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { AppLink } from '../../../ui/page/app-link';

/** Photos per month. */
export const VOLUMES = ['hundreds', 'thousands', 'more'] as const;

/** Longest answers, in characters. */
export const SURVEY_LENGTHS = { company: 200, purpose: 2000 } as const;

/** For a price on request. @param mailto the answers as an email; null before they are given */
export function ContactSurvey({ mailto }: { readonly mailto: string | null }) {
  const { t } = useTranslation('tiers');
  if (mailto !== null) {
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
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col gap-7 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-3">
        <h1 className="text-display-sm">{t('contact.title')}</h1>
        <p className="text-lg text-pretty text-muted">{t('contact.lead')}</p>
      </div>
      <SubmitForm method="post" className="flex flex-col gap-6">
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-2 text-sm font-medium">{t('contact.volume')}</legend>
          {VOLUMES.map((volume, index) => (
            <label key={volume} className="flex min-h-11 items-center gap-3 rounded-control bg-well px-4">
              <input
                type="radio"
                name="volume"
                value={volume}
                defaultChecked={index === 0}
                className="size-5 shrink-0 accent-(--accent)"
              />
              {t(`contact.volumes.${volume}`)}
            </label>
          ))}
        </fieldset>
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          {t('contact.company')}
          <input
            name="company"
            maxLength={SURVEY_LENGTHS.company}
            autoComplete="organization"
            dir="auto"
            className="field"
          />
        </label>
        <label className="flex flex-col gap-1.5 text-sm font-medium">
          {t('contact.purpose')}
          <textarea
            name="purpose"
            rows={4}
            maxLength={SURVEY_LENGTHS.purpose}
            dir="auto"
            className="field min-h-28 py-3"
          />
        </label>
        <SubmitButton kind="primary">{t('contact.write')}</SubmitButton>
      </SubmitForm>
    </section>
  );
}
