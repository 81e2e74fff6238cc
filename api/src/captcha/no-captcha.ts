import type { CaptchaVerdict } from '@clearframe/contract';
import { Captcha } from './captcha.js';

/** Where an operator has chosen none: rows that would ask for one let everybody pass. */
export class NoCaptcha extends Captcha {
  async verify(): Promise<CaptchaVerdict> {
    return { valid: true, reasons: [] };
  }
}
