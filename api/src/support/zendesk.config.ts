import { ConfigurationError, type Environment, readEnvironment, Settings } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  ZENDESK_SUBDOMAIN: z
    .string()
    .regex(/^[a-z\d](?:[a-z\d-]*[a-z\d])?$/i, { error: 'is not the part of the address before .zendesk.com' })
    .optional(),
  ZENDESK_API_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
  ZENDESK_EMAIL: z.email({ error: 'is not an email address' }).optional(),
  ZENDESK_API_TOKEN: z.string().optional(),
  ZENDESK_SOURCE_FIELD: z.coerce
    .number({ error: 'is not the id of a ticket field' })
    .int({ error: 'is not the id of a ticket field' })
    .positive({ error: 'is not the id of a ticket field' })
    .optional(),
});

interface ZendeskSettings {
  readonly url: string;
  /** Address of the agent who owns the token. */
  readonly email: string;
  readonly token: string;
  /** Id of a text field for the source of a request; null without one. */
  readonly sourceField: number | null;
}

export class ZendeskConfig extends Settings<ZendeskSettings>() {
  /** @returns null without an account */
  static fromEnvironment(environment: Environment): ZendeskConfig | null {
    const env = readEnvironment(schema, environment);
    if (env.CLEARFRAME_ENV === 'production' && env.ZENDESK_API_URL) {
      throw new ConfigurationError('ZENDESK_API_URL: another server than Zendesk is refused in production');
    }
    const url = env.ZENDESK_API_URL ?? (env.ZENDESK_SUBDOMAIN && `https://${env.ZENDESK_SUBDOMAIN}.zendesk.com`);
    if (!url) {
      if (env.ZENDESK_API_TOKEN) throw new ConfigurationError('ZENDESK_SUBDOMAIN: is missing');
      return null;
    }
    if (!env.ZENDESK_EMAIL) throw new ConfigurationError('ZENDESK_EMAIL: is missing');
    if (!env.ZENDESK_API_TOKEN) throw new ConfigurationError('ZENDESK_API_TOKEN: is missing');
    return new ZendeskConfig({
      url,
      email: env.ZENDESK_EMAIL,
      token: env.ZENDESK_API_TOKEN,
      sourceField: env.ZENDESK_SOURCE_FIELD ?? null,
    });
  }
}
