import { join, resolve } from 'node:path';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_DATA: z.string().default('.data'),
  SMTP_URL: z.url({ error: 'is not an address', protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Clearframe <no-reply@clearframe.example>'),
});

/** Sends to a server, or writes into a folder without one. */
export class MailConfig {
  private constructor(
    readonly smtpUrl: string | null,
    readonly from: string,
    readonly folder: string,
  ) {}

  static fromEnvironment(environment: Environment): MailConfig {
    const { SMTP_URL, MAIL_FROM, CLEARFRAME_DATA } = readEnvironment(schema, environment);
    return new MailConfig(SMTP_URL ?? null, MAIL_FROM, join(resolve(CLEARFRAME_DATA), 'mail'));
  }
}
