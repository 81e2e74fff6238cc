import type { IncomingHttpHeaders } from 'node:http';
import { countryFrom } from '@clearframe/contract';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const SANDBOX_HEADER = 'x-sandbox-country';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  BLOCKED_COUNTRIES: z
    .string()
    .regex(/^[A-Za-z]{2}( *, *[A-Za-z]{2})*$/, { error: 'is not a list of two-letter country codes' })
    .optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, { error: 'is not a header name' })
    .optional(),
});

export class CountriesConfig {
  private constructor(
    /** Upper-case ISO 3166-1 codes. */
    readonly blocked: ReadonlySet<string>,
    /** Set by the reverse proxy, which overwrites a visitor's value; null without a proxy. */
    readonly header: string | null,
  ) {}

  static fromEnvironment(environment: Environment): CountriesConfig {
    const env = readEnvironment(schema, environment);
    const codes = env.BLOCKED_COUNTRIES?.toUpperCase().split(',') ?? [];
    const header = env.COUNTRY_HEADER?.toLowerCase() ?? (env.CLEARFRAME_ENV === 'production' ? null : SANDBOX_HEADER);
    return new CountriesConfig(new Set(codes.map((code) => code.trim())), header);
  }

  countryIn(headers: IncomingHttpHeaders): string | null {
    return this.header === null ? null : countryFrom(headers[this.header]);
  }

  isBlocked(headers: IncomingHttpHeaders): boolean {
    const country = this.countryIn(headers);
    return country !== null && this.blocked.has(country);
  }
}
