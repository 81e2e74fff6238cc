import type { CaptchaVerdict } from '@clearframe/contract';
import { Captcha, type CaptchaQuestion } from './captcha.js';

/** The token with which the sandbox plays a program that was found out. */
const FAILING_TOKEN = 'fail';

/** Lets everybody pass, with or without a token, who does not ask to fail. */
export class SandboxCaptcha extends Captcha {
  async verify({ token }: CaptchaQuestion): Promise<CaptchaVerdict> {
    return token === FAILING_TOKEN ? { valid: false, reasons: ['sandbox_failure'] } : { valid: true, reasons: [] };
  }
}
