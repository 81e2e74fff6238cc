import {
  CURRENCIES,
  type Currency,
  type PackPrice,
  type Period,
  type Plan,
  type PlanPrice,
  planPriceOf,
  WEEKS_PER_PERIOD,
} from './catalogue.js';

/**
 * Countries and territories with the euro, as ISO 3166-1 alpha-2 codes (XK is user-assigned). Source: regions whose
 * current currency is EUR in Unicode CLDR 48, `supplemental/currencyData`.
 */
const EURO_COUNTRIES: ReadonlySet<string> = new Set([
  // Euro area; Bulgaria since 1 January 2026.
  ...['AT', 'BE', 'BG', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL'],
  ...['PT', 'SI', 'SK'],
  // Territories with codes of their own.
  ...['AX', 'BL', 'GF', 'GP', 'MF', 'MQ', 'PM', 'RE', 'TF', 'YT'],
  // Outside the European Union, by agreement or unilaterally.
  ...['AD', 'MC', 'ME', 'SM', 'VA', 'XK'],
]);

const COUNTRY = /^[A-Z]{2}$/;
/** Sent by CDNs for an address of unknown country. */
const UNKNOWN_COUNTRY = 'XX';

/**
 * Country of a proxy's header as an upper-case ISO 3166-1 alpha-2 code; null if unknown.
 * @param value of the header named by `COUNTRY_HEADER`
 */
export function countryFrom(value: string | readonly string[] | null | undefined): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return COUNTRY.test(code) && code !== UNKNOWN_COUNTRY ? code : null;
}

export interface VisitorRegion {
  /** Result of {@link countryFrom}. */
  readonly country: string | null;
  /** BCP 47 tags of the browser's `Accept-Language`, preferred first; not the language of the interface. */
  readonly languages: readonly string[];
}

/** Currency of the country; if unknown, of the first region in `Accept-Language`; else usd (decisions, section 8). */
export function currencyForVisitor({ country, languages }: VisitorRegion): Currency {
  const region = country ?? regionIn(languages);
  return region !== null && EURO_COUNTRIES.has(region) ? 'eur' : 'usd';
}

const regionIn = (languages: readonly string[]): string | null =>
  languages.map((tag) => new Intl.Locale(tag).region).find((region) => region !== undefined) ?? null;

/** For input, such as a cookie. */
export const isCurrency = (value: unknown): value is Currency => CURRENCIES.some((currency) => currency === value);

/** A price as written in every language: `$9.99`, `9,99€`. Integer arithmetic: no rounding errors. */
export function formatPrice(amountCents: number, currency: Currency): string {
  const sign = amountCents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(amountCents) / 100);
  const cents = String(Math.abs(amountCents) % 100).padStart(2, '0');
  return currency === 'usd' ? `${sign}$${whole}.${cents}` : `${sign}${whole},${cents}€`;
}

/**
 * An amount of money that is no price: paid, refunded or due. Written as the language does, with a space that doesn't
 * break: `$9.99`, `9,99 €`.
 * @param language BCP 47
 */
export const formatMoney = (amountCents: number, currency: Currency, language: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    amountCents / 100,
  );

/**
 * Shorter periods in the longer, for discount badges: a month is 4 weeks, a year 52 weeks or 12 months. These give the
 * 35 %, 50 % and 16 % of spec 1, section 9.
 */
const UNITS_IN: Readonly<Partial<Record<`${Period} in ${Period}`, number>>> = {
  'weekly in monthly': 4,
  'weekly in yearly': 52,
  'monthly in yearly': 12,
};

/** Saving of the longer period over repeated shorter ones, in whole percent, rounded half up; 0 for none. */
export function discountPercent(plan: Plan, longer: Period, shorter: Period, currency: Currency): number {
  const times = UNITS_IN[`${shorter} in ${longer}`];
  if (!times) return 0;
  const separately = planPriceOf(plan, shorter, currency).amountCents * times;
  const together = planPriceOf(plan, longer, currency).amountCents;
  return Math.max(0, Math.floor(((separately - together) * 100) / separately + 0.5));
}

/** A plan's price for one week of its period, in cents, rounded half up. */
export const centsPerWeek = ({ amountCents, period }: Pick<PlanPrice, 'amountCents' | 'period'>): number =>
  Math.floor(amountCents / WEEKS_PER_PERIOD[period] + 0.5);

/** A pack's price for one download, in cents, rounded half up. */
export const centsEach = ({ amountCents, exports }: Pick<PackPrice, 'amountCents' | 'exports'>): number =>
  Math.floor(amountCents / exports + 0.5);
