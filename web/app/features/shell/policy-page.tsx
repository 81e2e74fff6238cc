import { useTranslation } from 'react-i18next';
import { SUPPORT_ADDRESS } from '../../http/internal-address';
import { TEXT_LINK } from '../../ui/page/app-link';
import { CookieSettingsLink } from '../cookies/cookie-settings-link';

const SECTIONS = {
  privacy: ['photos', 'account', 'payments', 'logs', 'api', 'support', 'cookies', 'rights'],
  terms: ['service', 'pictures', 'conduct', 'plans', 'business', 'tax', 'ending', 'liability'],
} as const;

/** `pnpm business-terms` makes it from this page's texts. */
const BUSINESS_DOCUMENT = '/docs/business-additional-terms.pdf';

export type Policy = keyof typeof SECTIONS;

export function PolicyPage({ policy }: { readonly policy: Policy }) {
  const { t } = useTranslation('onboarding');
  return (
    <article className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-10 px-5 py-10 sm:px-8 sm:py-16">
      <header className="flex flex-col gap-4">
        <h1 className="text-display-sm wrap-break-word hyphens-auto">{t(`policies.${policy}.title`)}</h1>
        <p className="text-lg text-pretty text-muted sm:text-xl">{t(`policies.${policy}.lead`)}</p>
        <p className="text-sm text-muted">{t('policies.changed')}</p>
      </header>
      {SECTIONS[policy].map((section) => (
        <section key={section} id={section} className="flex scroll-mt-8 flex-col gap-3">
          <h2 className="text-title wrap-break-word hyphens-auto">{textOf(`policies.${policy}.${section}.title`)}</h2>
          <p className="text-pretty text-muted">{textOf(`policies.${policy}.${section}.body`)}</p>
          {section === 'cookies' && <CookieSettingsLink className={`${TEXT_LINK} self-start`} />}
          {section === 'business' && (
            <a href={BUSINESS_DOCUMENT} hrefLang="en" type="application/pdf" className={`${TEXT_LINK} self-start`}>
              {t('policies.terms.business.document')}
            </a>
          )}
        </section>
      ))}
      <p className="text-sm text-muted">{t('policies.questions', { email: SUPPORT_ADDRESS })}</p>
    </article>
  );

  /** The keys are those of `SECTIONS`. */
  function textOf(key: string): string {
    return t(key as 'policies.terms.service.body', { video: 'yes' });
  }
}
