import { useTranslation } from 'react-i18next';
import { Trans } from 'react-i18next/TransWithoutContext';
import { AppLink } from '../../../ui/page/app-link';

const LINK = 'text-ink underline decoration-line underline-offset-4 transition hover:decoration-current';

/** What is agreed to by paying. Businesses have terms of their own beside the common ones. */
export function CheckoutTerms({ isBusiness }: { readonly isBusiness: boolean }) {
  const { t, i18n } = useTranslation('tiers');
  return (
    <p className="text-sm text-pretty text-muted">
      <Trans
        t={t}
        i18n={i18n}
        i18nKey={isBusiness ? 'checkout.termsBusiness' : 'checkout.terms'}
        components={{
          terms: <AppLink to="/terms" className={LINK} />,
          business: <AppLink to="/terms#business" className={LINK} />,
          tax: <AppLink to="/terms#tax" className={LINK} />,
          privacy: <AppLink to="/privacy-and-cookie-policy" className={LINK} />,
        }}
      />
    </p>
  );
}
