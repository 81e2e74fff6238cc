import { CURRENCIES, type Currency } from './catalogue.js';

/**
 * Countries and territories whose money is the euro, as ISO 3166-1 alpha-2 codes (XK is user-assigned).
 * Source: the regions whose current currency is EUR in Unicode CLDR 48, `supplemental/currencyData`.
 */
const EURO_COUNTRIES: ReadonlySet<string> = new Set([
  // Members of the euro area; Bulgaria since 1 January 2026.
  ...['AT', 'BE', 'BG', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL'],
  ...['PT', 'SI', 'SK'],
  // Their territories with codes of their own.
  ...['AX', 'BL', 'GF', 'GP', 'MF', 'MQ', 'PM', 'RE', 'TF', 'YT'],
  // By agreement, or on their own decision.
  ...['AD', 'MC', 'ME', 'SM', 'VA', 'XK'],
]);

const COUNTRY = /^[A-Z]{2}$/;
/** CDNs send this for an address that they can't place. */
const UNKNOWN_COUNTRY = 'XX';

/**
 * The country that a proxy's header names, as an upper-case ISO 3166-1 alpha-2 code; null where it names none.
 * @param value of the header named by `COUNTRY_HEADER`
 */
export function countryFrom(value: string | readonly string[] | null | undefined): string | null {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  return COUNTRY.test(code) && code !== UNKNOWN_COUNTRY ? code : null;
}

/** What tells in which currency prices are shown to a visitor. */
export interface VisitorRegion {
  /** As {@link countryFrom} gives it. */
  readonly country: string | null;
  /** BCP 47 tags of the browser's `Accept-Language`, preferred first; not the language of the interface. */
  readonly languages: readonly string[];
}

/**
 * The currency of a visitor's country; where the country is unknown, that of the first region in `Accept-Language`;
 * else usd (decisions, section 8).
 */
export function currencyForVisitor({ country, languages }: VisitorRegion): Currency {
  const region = country ?? regionIn(languages);
  return region !== null && EURO_COUNTRIES.has(region) ? 'eur' : 'usd';
}

const regionIn = (languages: readonly string[]): string | null =>
  languages.map((tag) => new Intl.Locale(tag).region).find((region) => region !== undefined) ?? null;

/** Whether a text names a currency in which prices are sold. */
export const isCurrency = (value: unknown): value is Currency => CURRENCIES.some((currency) => currency === value);
