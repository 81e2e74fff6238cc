import type { CaptchaVerdict } from '@clearframe/contract';

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
