import { type CaptchaVerdict, inMilliseconds } from '@clearframe/contract';
import { ConfigurationError, type Environment, readEnvironment } from '@clearframe/runtime/config';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { publicUrlIn } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';

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

export interface CaptchaRequest {
  readonly token: string | null;
  /** A token for another action is invalid. */
  readonly action: string;
  readonly address: string;
}

export abstract class Captcha {
  abstract verify(request: CaptchaRequest): Promise<CaptchaVerdict>;
}

export class NoCaptcha extends Captcha {
  async verify(): Promise<CaptchaVerdict> {
    return { valid: true, reasons: [] };
  }
}

const TIMEOUT_MS = inMilliseconds.seconds(5);
/** Google accepts a token for two minutes; a minute more for clocks that differ. */
const MAX_AGE_MS = inMilliseconds.minutes(3);
/** Google's default threshold of reCAPTCHA v3; version 2 has no scores. */
const MIN_SCORE = 0.5;

/** https://developers.google.com/recaptcha/docs/verify */
const Verification = z.object({
  success: z.boolean(),
  challenge_ts: z.coerce.date().optional(),
  hostname: z.string().optional(),
  action: z.string().optional(),
  score: z.number().optional(),
  'error-codes': z.array(z.string()).default([]),
});

/** reCAPTCHA accepts a token once, so that a repeated one is invalid, too. */
@Injectable()
export class Recaptcha extends Captcha {
  constructor(private readonly config: CaptchaConfig) {
    super();
  }

  /** @throws AppError `service.unavailable` when reCAPTCHA doesn't respond */
  async verify({ token, action, address }: CaptchaRequest): Promise<CaptchaVerdict> {
    const form = { secret: this.config.secretKey ?? '', response: token ?? '', remoteip: address };
    const verification = await this.ask(new URLSearchParams(form));
    if (!verification.success) return { valid: false, reasons: verification['error-codes'] };
    const { hostname, challenge_ts: solvedAt, score } = verification;
    const reasons = [
      ...(hostname !== this.config.hostname ? ['hostname-mismatch'] : []),
      ...(verification.action !== undefined && verification.action !== action ? ['action-mismatch'] : []),
      ...(!solvedAt || Date.now() - solvedAt.getTime() > MAX_AGE_MS ? ['timeout-or-duplicate'] : []),
      ...(score !== undefined && score < MIN_SCORE ? ['low-score'] : []),
    ];
    return { valid: reasons.length === 0, reasons };
  }

  private async ask(body: URLSearchParams): Promise<z.infer<typeof Verification>> {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetch(this.config.verifyUrl, { method: 'POST', body, signal });
      return Verification.parse(await response.json());
    } catch (cause) {
      throw new AppError('service.unavailable', { retryAfterSeconds: 1, cause });
    }
  }
}
