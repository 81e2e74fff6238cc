import type { IncomingHttpHeaders } from 'node:http';
import { countryFrom } from '@clearframe/contract';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const SANDBOX_HEADER = 'x-sandbox-country';

const Countries = z
  .string()
  .regex(/^[A-Za-z]{2}( *, *[A-Za-z]{2})*$/, { error: 'is not a list of two-letter country codes' })
  .optional();

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  BLOCKED_COUNTRIES: Countries,
  BLOCKED_SERVICE_COUNTRIES: Countries,
  COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, { error: 'is not a header name' })
    .optional(),
});

export class CountriesConfig {
  private constructor(
    /** No payments. Upper-case ISO 3166-1 codes, including those without service. */
    readonly blocked: ReadonlySet<string>,
    /** No service at all. */
    private readonly withoutService: ReadonlySet<string>,
    /** Set by the reverse proxy, which overwrites a visitor's value; null without a proxy. */
    readonly header: string | null,
  ) {}

  static fromEnvironment(environment: Environment): CountriesConfig {
    const env = readEnvironment(schema, environment);
    const withoutService = codesIn(env.BLOCKED_SERVICE_COUNTRIES);
    const header = env.COUNTRY_HEADER?.toLowerCase() ?? (env.CLEARFRAME_ENV === 'production' ? null : SANDBOX_HEADER);
    const blocked = [...codesIn(env.BLOCKED_COUNTRIES), ...withoutService];
    return new CountriesConfig(new Set(blocked), new Set(withoutService), header);
  }

  countryIn(headers: IncomingHttpHeaders): string | null {
    return this.header === null ? null : countryFrom(headers[this.header]);
  }

  isBlocked(headers: IncomingHttpHeaders): boolean {
    const country = this.countryIn(headers);
    return country !== null && this.blocked.has(country);
  }

  hasService(headers: IncomingHttpHeaders): boolean {
    const country = this.countryIn(headers);
    return country === null || !this.withoutService.has(country);
  }
}

const codesIn = (list = ''): string[] =>
  list
    .toUpperCase()
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean);
