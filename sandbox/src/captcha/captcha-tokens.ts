/** A token made by `browser/recaptcha.js`: time, random part and action. */
const TOKEN = /^sbx_captcha\.(\d{1,16})\.[\da-f-]{36}\.([\w/]+)$/;

const LIFETIME_MS = 120_000;

export interface SolvedChallenge {
  readonly action: string;
  readonly at: Date;
}

/** Tokens of the sandbox's script. As reCAPTCHA, accepts each once, within two minutes. */
export class CaptchaTokens {
  /** Used tokens, with the time at which they expire anyway. */
  private readonly used = new Map<string, number>();

  isOwn(token: string): boolean {
    return TOKEN.test(token);
  }

  /** @returns null for a token that was used before, or has expired */
  take(token: string): SolvedChallenge | null {
    const [, time = '', action = ''] = TOKEN.exec(token) ?? [];
    const [now, at] = [Date.now(), Number(time)];
    this.forgetExpired(now);
    if (this.used.has(token) || now - at > LIFETIME_MS) return null;
    this.used.set(token, at + LIFETIME_MS);
    return { action, at: new Date(at) };
  }

  private forgetExpired(now: number): void {
    for (const [token, expiry] of this.used) if (expiry < now) this.used.delete(token);
  }
}
