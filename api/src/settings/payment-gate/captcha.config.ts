import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({
  CLEARFRAME_ENV: z.string().optional(),
  CAPTCHA_PROVIDER: z.enum(['sandbox', 'none']).optional(),
});

/** The sandbox locally; none in production. */
export class CaptchaConfig {
  private constructor(readonly provider: 'sandbox' | 'none') {}

  static fromEnvironment(environment: Environment): CaptchaConfig {
    const env = readEnvironment(schema, environment);
    const isProduction = env.CLEARFRAME_ENV === 'production';
    if (isProduction && env.CAPTCHA_PROVIDER === 'sandbox') {
      throw new ConfigurationError('CAPTCHA_PROVIDER: the sandbox accepts bots and is refused in production');
    }
    return new CaptchaConfig(env.CAPTCHA_PROVIDER ?? (isProduction ? 'none' : 'sandbox'));
  }
}
