import type { FastifyInstance } from 'fastify';
import { textScope } from './core/http-api.js';

/** A token made by `browser/recaptcha.js`: time, random part and action. */
const TOKEN = /^sbx_captcha\.(\d{1,16})\.[\da-f-]{36}\.([\w/]+)$/;

const LIFETIME_MS = 120_000;

interface SolvedChallenge {
  readonly action: string;
  readonly at: Date;
}

/** Tokens of the sandbox's script. As reCAPTCHA, accepts each once, within two minutes. */
class CaptchaTokens {
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

const FAILING_TOKEN = 'fail';

const VERIFY_PATH = '/recaptcha/api/siteverify';

/**
 * reCAPTCHA's verification. Tokens of the sandbox's script are accepted once; for requests by hand, so is every other
 * token but one, and none.
 */
export class CaptchaRoutes {
  private readonly hostname: string;
  private readonly tokens = new CaptchaTokens();

  constructor(
    publicUrl: string,
    private readonly secretKey: string,
  ) {
    this.hostname = new URL(publicUrl).hostname;
  }

  async mount(fastify: FastifyInstance): Promise<void> {
    await textScope(fastify, (scope) => {
      scope.post(VERIFY_PATH, async ({ body }) => {
        const form = new URLSearchParams(String(body));
        if (!form.has('secret')) return rejection('missing-input-secret');
        if (form.get('secret') !== this.secretKey) return rejection('invalid-input-secret');
        return this.verify(form.get('response') ?? '');
      });
    });
  }

  private verify(token: string) {
    if (token === FAILING_TOKEN) return rejection('sandbox_failure');
    const { hostname } = this;
    if (!this.tokens.isOwn(token)) return { success: true, challenge_ts: new Date().toISOString(), hostname };
    const solved = this.tokens.take(token);
    if (!solved) return rejection('timeout-or-duplicate');
    return { success: true, challenge_ts: solved.at.toISOString(), hostname, action: solved.action, score: 0.9 };
  }
}

const rejection = (code: string) => ({ success: false, 'error-codes': [code] });
