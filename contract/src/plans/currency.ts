import { CURRENCIES, type Currency } from './catalogue.js';

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
