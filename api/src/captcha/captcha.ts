import type { CaptchaVerdict } from '@clearframe/contract';

/** What is judged: the token, what the visitor was about to do, and where they call from. */
export interface CaptchaQuestion {
  /** Absent where the client sent none. */
  readonly token: string | null;
  /** Name of the act; a token that was made for another is not valid. */
  readonly action: string;
  readonly address: string;
}

/** Tells people from programs. An adapter checks the token's act, host and age, and takes each only once. */
export abstract class Captcha {
  abstract verify(question: CaptchaQuestion): Promise<CaptchaVerdict>;
}
