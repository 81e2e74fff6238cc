import { join, resolve } from 'node:path';
import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { publicUrlIn } from '../platform/config/app.config.js';
import { MailSite } from './content/mail-site.js';

const schema = z.object({
  CLEARFRAME_DATA: z.string().default('.data'),
  SMTP_URL: z.url({ error: 'is not an address', protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Clearframe <no-reply@clearframe.example>'),
  MAIL_POSTAL_ADDRESS: z.string().optional(),
});

export class MailConfig extends MailSite {
  private constructor(
    readonly smtpUrl: string | null,
    readonly from: string,
    readonly folder: string,
    readonly publicUrl: string,
    readonly postalAddress: string | null,
  ) {
    super();
  }

  get domain(): string {
    return /@([\w.-]+)/.exec(this.from)?.[1] ?? 'localhost';
  }

  static fromEnvironment(environment: Environment): MailConfig {
    const env = readEnvironment(schema, environment);
    return new MailConfig(
      env.SMTP_URL ?? null,
      env.MAIL_FROM,
      join(resolve(env.CLEARFRAME_DATA), 'mail'),
      publicUrlIn(environment),
      env.MAIL_POSTAL_ADDRESS || null,
    );
  }
}
