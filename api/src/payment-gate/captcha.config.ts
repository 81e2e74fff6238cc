import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';
import { publicUrlIn } from '../platform/config/app.config.js';

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  RECAPTCHA_SECRET_KEY: z.string().min(1).optional(),
  /** Used by `web`. */
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  RECAPTCHA_VERIFY_URL: z.url({ error: 'is not an absolute URL', protocol: /^https?$/ }).optional(),
});

/** reCAPTCHA where a key is configured. `npm start` configures the sandbox's. */
export class CaptchaConfig {
  private constructor(
    /** Null without a captcha. */
    readonly secretKey: string | null,
    readonly verifyUrl: string,
    /** Host of the pages on which tokens are issued. */
    readonly hostname: string,
  ) {}

  static fromEnvironment(environment: Environment): CaptchaConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && !env.RECAPTCHA_SECRET_KEY !== !env.RECAPTCHA_SITE_KEY) {
      throw new ConfigurationError('RECAPTCHA_SECRET_KEY and RECAPTCHA_SITE_KEY: set both or neither');
    }
    if (isProduction && env.RECAPTCHA_VERIFY_URL) {
      throw new ConfigurationError('RECAPTCHA_VERIFY_URL: another server than reCAPTCHA is refused in production');
    }
    return new CaptchaConfig(
      env.RECAPTCHA_SECRET_KEY ?? null,
      env.RECAPTCHA_VERIFY_URL ?? VERIFY_URL,
      new URL(publicUrlIn(environment)).hostname,
    );
  }

  get isConfigured(): boolean {
    return this.secretKey !== null;
  }
}
