import type { CaptchaVerdict } from '@clearframe/contract';

/** A token to verify, with the visitor's action and address. */
export interface CaptchaRequest {
  /** Absent where the client sent none. */
  readonly token: string | null;
  /** Name of the action; a token for another action is invalid. */
  readonly action: string;
  readonly address: string;
}

/** Tells people from bots. An adapter checks the token's action, host and age, and accepts it once. */
export abstract class Captcha {
  abstract verify(request: CaptchaRequest): Promise<CaptchaVerdict>;
}

/** No captcha is configured: every request passes. */
export class NoCaptcha extends Captcha {
  async verify(): Promise<CaptchaVerdict> {
    return { valid: true, reasons: [] };
  }
}

/** The token that the sandbox rejects. */
const FAILING_TOKEN = 'fail';

/** Accepts every request whose token isn't {@link FAILING_TOKEN}. */
export class SandboxCaptcha extends Captcha {
  async verify({ token }: CaptchaRequest): Promise<CaptchaVerdict> {
    return token === FAILING_TOKEN ? { valid: false, reasons: ['sandbox_failure'] } : { valid: true, reasons: [] };
  }
}
