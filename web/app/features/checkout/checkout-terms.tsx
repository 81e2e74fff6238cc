import { useTranslation } from 'react-i18next';
import { LinkedText } from '../../ui/page/linked-text';

const LINKS = {
  terms: '/terms',
  business: '/terms#business',
  tax: '/terms#tax',
  privacy: '/privacy-and-cookie-policy',
};

export function CheckoutTerms({ isBusiness }: { readonly isBusiness: boolean }) {
  const { t } = useTranslation('tiers');
  return (
    <p className="text-sm text-pretty text-muted">
      <LinkedText text={t(isBusiness ? 'checkout.termsBusiness' : 'checkout.terms')} links={LINKS} />
    </p>
  );
}
