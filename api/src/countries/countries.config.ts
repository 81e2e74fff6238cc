import type { IncomingHttpHeaders } from 'node:http';
import { countryFrom } from '@clearframe/contract';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

/** With this header a local visitor says where they would like to be. */
const SANDBOX_HEADER = 'x-sandbox-country';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  BLOCKED_COUNTRIES: z
    .string()
    .regex(/^[A-Za-z]{2}( *, *[A-Za-z]{2})*$/, { error: 'is no list of two-letter country codes' })
    .optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]+$/i, { error: 'is no header name' })
    .optional(),
});

/** Where nothing can be bought, and how it is known where somebody is. */
export class CountriesConfig {
  private constructor(
    /** Upper-case ISO 3166-1 codes. */
    readonly blocked: ReadonlySet<string>,
    /** Set by the proxy in front of us, which overwrites what a visitor sends; null where there is none. */
    readonly header: string | null,
  ) {}

  static fromEnvironment(environment: Environment): CountriesConfig {
    const env = readEnvironment(schema, environment);
    const codes = env.BLOCKED_COUNTRIES?.toUpperCase().split(',') ?? [];
    const header = env.COUNTRY_HEADER?.toLowerCase() ?? (env.CLEARFRAME_ENV === 'production' ? null : SANDBOX_HEADER);
    return new CountriesConfig(new Set(codes.map((code) => code.trim())), header);
  }

  /** The country of a request's sender as an upper-case ISO 3166-1 code; null where it is unknown. */
  countryIn(headers: IncomingHttpHeaders): string | null {
    return this.header === null ? null : countryFrom(headers[this.header]);
  }

  /** Whether nothing is sold to the sender of a request. */
  isBlocked(headers: IncomingHttpHeaders): boolean {
    const country = this.countryIn(headers);
    return country !== null && this.blocked.has(country);
  }
}
