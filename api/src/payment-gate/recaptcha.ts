import { type CaptchaVerdict, inMilliseconds } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { AppError } from '../platform/errors/app-error.js';
import { CaptchaConfig } from './captcha.config.js';
import { Captcha, type CaptchaRequest } from './captcha.js';

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
