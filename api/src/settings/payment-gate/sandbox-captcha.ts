import type { CaptchaVerdict } from '@clearframe/contract';
import { Captcha, type CaptchaRequest } from './captcha.js';

const FAILING_TOKEN = 'fail';

/** Accepts every token but one. Not loaded in production. */
export class SandboxCaptcha extends Captcha {
  async verify({ token }: CaptchaRequest): Promise<CaptchaVerdict> {
    return token === FAILING_TOKEN ? { valid: false, reasons: ['sandbox_failure'] } : { valid: true, reasons: [] };
  }
}
