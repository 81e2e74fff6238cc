import { CURRENCIES, type Currency } from '@clearframe/contract';
import { Form, useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { RETURN_PARAMETER } from '../../http/internal-address';

const LABELS: Readonly<Record<Currency, string>> = { usd: '$ USD', eur: '€ EUR' };

interface CurrencySwitchProps {
  readonly selected: Currency;
  readonly onSelect?: ((currency: Currency) => void) | undefined;
}

export function CurrencySwitch({ selected, onSelect }: CurrencySwitchProps) {
  const { t } = useTranslation('tiers');
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/currency" replace preventScrollReset className="self-center">
      <input type="hidden" name={RETURN_PARAMETER} value={`${pathname}${search}`} />
      <fieldset className="flex gap-0.5 rounded-full bg-well p-1">
        <legend className="sr-only">{t('currency')}</legend>
        {CURRENCIES.map((currency) => (
          <button
            key={currency}
            type="submit"
            name="currency"
            value={currency}
            onClick={(event) => {
              if (!onSelect) return;
              event.preventDefault();
              onSelect(currency);
            }}
            aria-pressed={currency === selected}
            dir="ltr"
            className="min-h-9 cursor-pointer rounded-full px-4 text-sm text-muted transition hover:text-ink aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:shadow-soft"
          >
            {LABELS[currency]}
          </button>
        ))}
      </fieldset>
    </Form>
  );
}
