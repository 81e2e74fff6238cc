import { useTranslation } from 'react-i18next';
import { AppLink } from '../../../ui/page/app-link';

const LINKS: Readonly<Record<string, string>> = {
  terms: '/terms',
  business: '/terms#business',
  tax: '/terms#tax',
  privacy: '/privacy-and-cookie-policy',
};

/** `<name>text</name>` in the message. i18next's `Trans` would add 2 kB to the script of every page. */
const LINK = /<(\w+)>(.*?)<\/\1>/;

/** The terms a payer accepts; businesses have additional ones. */
export function CheckoutTerms({ isBusiness }: { readonly isBusiness: boolean }) {
  const { t } = useTranslation('tiers');
  // Text, link name, link text, text, and so on.
  const parts = t(isBusiness ? 'checkout.termsBusiness' : 'checkout.terms').split(LINK);
  return (
    <p className="text-sm text-pretty text-muted">
      {parts.map((part, index) => {
        if (index % 3 === 0) return part;
        if (index % 3 === 1) return null;
        const name = parts[index - 1] ?? '';
        return (
          <AppLink
            key={name}
            to={LINKS[name] ?? '/terms'}
            className="text-ink underline decoration-line underline-offset-4 transition hover:decoration-current"
          >
            {part}
          </AppLink>
        );
      })}
    </p>
  );
}
