import type { FastifyInstance } from 'fastify';

const FAILING_TOKEN = 'fail';

/** Path of reCAPTCHA's API. */
export const VERIFY_PATH = '/recaptcha/api/siteverify';

/** reCAPTCHA's verification. Accepts every token but one, and none, because the sandbox issues no tokens. */
export class CaptchaRoutes {
  private readonly hostname: string;

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
        if (form.get('response') === FAILING_TOKEN) return rejection('sandbox_failure');
        return { success: true, challenge_ts: new Date().toISOString(), hostname: this.hostname };
      });
    });
  }
}

const rejection = (code: string) => ({ success: false, 'error-codes': [code] });
