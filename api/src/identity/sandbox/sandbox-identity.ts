import { inMilliseconds, LOGIN_PROVIDERS } from '@clearframe/contract';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { AppError } from '../../platform/errors/app-error.js';
import { fetchSandbox } from '../../platform/sandbox.js';
import { type Identity, IdentityProvider } from '../identity-provider.js';

const ALGORITHM = 'RS256';
const ISSUER = 'https://identity.sandbox.clearframe';
const AUDIENCE = 'clearframe-sandbox';
const RETRY_SECONDS = 5;

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.boolean(),
  provider: z.enum(LOGIN_PROVIDERS),
  /** User state that a real provider stores instead of writing it into the token. */
  failure: z.enum(['disabled', 'unavailable']).nullable(),
});

/** Codes of errors about the key set, not about the token. */
const OUTAGES: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC'];

export class SandboxIdentity extends IdentityProvider {
  private readonly keys;

  constructor(private readonly url: string) {
    super();
    this.keys = createRemoteJWKSet(new URL(`${url}/internal/identity/keys`), {
      timeoutDuration: inMilliseconds.seconds(RETRY_SECONDS),
    });
  }

  override async verify(idToken: string): Promise<Identity> {
    const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, requiredClaims: ['exp'] };
    const verified = await jwtVerify(idToken, this.keys, options).catch((cause: unknown) => {
      if (cause instanceof errors.JOSEError && !OUTAGES.includes(cause.code)) {
        throw new AppError('users.identity_rejected', { cause });
      }
      throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS, cause });
    });
    const claims = Claims.safeParse(verified.payload);
    if (!claims.success) throw new AppError('users.identity_rejected', { cause: claims.error });
    const { sub, email, email_verified: isEmailVerified, provider, failure } = claims.data;
    if (failure === 'unavailable') throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    if (failure === 'disabled') throw new AppError('users.identity_rejected', { internal: 'a disabled user' });
    return { uid: sub, email, isEmailVerified, source: provider };
  }

  override async delete(uid: string): Promise<void> {
    const account = `${this.url}/internal/identity/accounts/${encodeURIComponent(uid)}`;
    const { ok, status } = await fetchSandbox(account, { method: 'DELETE' });
    if (!ok) throw new AppError('service.unavailable', { internal: `the sandbox: ${status}` });
  }
}
