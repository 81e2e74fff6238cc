import { join, resolve } from 'node:path';
import { type Environment, readEnvironment, Settings } from '@clearframe/runtime/config';
import { z } from 'zod';
import { publicUrlIn } from '../platform/config/app.config.js';

const schema = z.object({
  CLEARFRAME_DATA: z.string().default('.data'),
  SMTP_URL: z.url({ error: 'is not an address', protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Clearframe <no-reply@clearframe.example>'),
  MAIL_POSTAL_ADDRESS: z.string().optional(),
});

interface MailSettings {
  readonly publicUrl: string;
  /** Sender's address in one line; null leaves it out. */
  readonly postalAddress: string | null;
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly folder: string;
}

export class MailConfig extends Settings<MailSettings>() {
  get domain(): string {
    return /@([\w.-]+)/.exec(this.from)?.[1] ?? 'localhost';
  }

  static fromEnvironment(environment: Environment): MailConfig {
    const env = readEnvironment(schema, environment);
    return new MailConfig({
      smtpUrl: env.SMTP_URL ?? null,
      from: env.MAIL_FROM,
      folder: join(resolve(env.CLEARFRAME_DATA), 'mail'),
      publicUrl: publicUrlIn(environment),
      postalAddress: env.MAIL_POSTAL_ADDRESS || null,
    });
  }
}
