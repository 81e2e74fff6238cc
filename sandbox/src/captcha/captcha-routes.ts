import type { FastifyInstance } from 'fastify';
import { CaptchaTokens } from './captcha-tokens.js';

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
    await fastify.register(async (scope) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
        done(null, body),
      );
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
