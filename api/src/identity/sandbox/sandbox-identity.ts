import { type IdentityScenario, inSeconds, LOGIN_PROVIDERS, type LoginProvider } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../platform/errors/app-error.js';
import { type Identity, IdentityProvider } from '../provider/identity-provider.js';
import { SandboxAccounts } from './sandbox-accounts.js';
import { ALGORITHM, SandboxKeys } from './sandbox-keys.js';

const ISSUER = 'https://identity.sandbox.clearframe';
const AUDIENCE = 'clearframe-sandbox';
const LIFETIME_SECONDS = inSeconds.hours(1);
const RETRY_SECONDS = 5;

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.boolean(),
  provider: z.enum(LOGIN_PROVIDERS),
  /** User state that a real provider stores instead of writing it into the token. */
  fate: z.enum(['disabled', 'unavailable']).nullable(),
});

export interface TokenOrder {
  readonly provider: LoginProvider;
  readonly email: string;
  readonly scenario?: IdentityScenario;
  readonly onlyLinked?: boolean;
  readonly linkTo?: string;
}

/**
 * Signs in any address without proof. Like the real provider it has one account for an address, whatever the sign-in
 * provider, and verifies tokens by signature.
 */
@Injectable()
export class SandboxIdentity extends IdentityProvider {
  constructor(
    private readonly keys: SandboxKeys,
    private readonly accounts: SandboxAccounts,
  ) {
    super();
  }

  /** @throws AppError of {@link SandboxAccounts}; `users.identity_rejected` when `linkTo` is not a valid token */
  async issue({ provider, email, scenario, onlyLinked = false, linkTo }: TokenOrder): Promise<string> {
    const credential = { provider, email: email.toLowerCase() };
    const account = linkTo
      ? await this.accounts.link((await this.verify(linkTo)).uid, credential)
      : await this.accounts.signIn(credential, onlyLinked);
    const now = Math.floor(Date.now() / 1000);
    const issuedAt = scenario === 'expired' ? now - 2 * LIFETIME_SECONDS : now;
    const claims = {
      email: account.email,
      email_verified: scenario !== 'unverified_email',
      provider: scenario === 'anonymous' ? 'anonymous' : provider,
      fate: scenario === 'disabled' || scenario === 'unavailable' ? scenario : null,
    };
    const describe = <Token extends SignJWT | UnsecuredJWT>(token: Token): Token => {
      token
        .setSubject(account.uid)
        .setIssuer(scenario === 'other_issuer' ? 'https://elsewhere.example' : ISSUER)
        .setAudience(scenario === 'other_audience' ? 'another-product' : AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS);
      return token;
    };
    if (scenario === 'unsigned') return describe(new UnsecuredJWT(claims)).encode();
    const { privateKey } = scenario === 'other_key' ? await generateKeyPair(ALGORITHM) : await this.keys.keys();
    return describe(new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM })).sign(privateKey);
  }

  /** The original one first. */
  providersOf(email: string): Promise<LoginProvider[]> {
    return this.accounts.providersOf(email.toLowerCase());
  }

  override async verify(idToken: string): Promise<Identity> {
    const { publicKey } = await this.keys.keys();
    const verified = await jwtVerify(idToken, publicKey, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ['exp'],
    }).catch((cause: unknown) => {
      throw new AppError('users.identity_rejected', { cause });
    });
    const claims = Claims.safeParse(verified.payload);
    if (!claims.success) throw new AppError('users.identity_rejected', { cause: claims.error });
    const { sub, email, email_verified: isEmailVerified, provider, fate } = claims.data;
    if (fate === 'unavailable') throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    if (fate === 'disabled') throw new AppError('users.identity_rejected', { internal: 'a disabled user' });
    return { uid: sub, email, isEmailVerified, source: provider };
  }

  override async delete(uid: string): Promise<void> {
    await this.accounts.delete(uid);
  }
}
