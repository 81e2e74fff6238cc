import { createHash } from 'node:crypto';
import { type IdentityScenario, inSeconds, LOGIN_PROVIDERS, type LoginProvider } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { type CryptoKey, generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { z } from 'zod';
import { AppError } from '../../platform/errors/app-error.js';
import { type Identity, IdentityProvider } from '../identity-provider.js';

const ALGORITHM = 'RS256';
const ISSUER = 'https://identity.sandbox.clearframe';
const AUDIENCE = 'clearframe-sandbox';
const LIFETIME_SECONDS = inSeconds.hours(1);

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.boolean(),
  provider: z.enum(LOGIN_PROVIDERS),
});

type KeyPair = { readonly publicKey: CryptoKey; readonly privateKey: CryptoKey };

/**
 * An identity provider that lets anybody be anybody, with a key made at every start. As with the real one, an e-mail
 * address is one account, by whichever button one comes; and its tokens are verified as anybody's would be.
 */
@Injectable()
export class SandboxIdentity extends IdentityProvider {
  private readonly keys: Promise<KeyPair> = generateKeyPair(ALGORITHM);

  async issue(provider: LoginProvider, email: string, scenario?: IdentityScenario): Promise<string> {
    const address = email.toLowerCase();
    const now = Math.floor(Date.now() / 1000);
    const issuedAt = scenario === 'expired' ? now - 2 * LIFETIME_SECONDS : now;
    const claims = { email: address, email_verified: scenario !== 'unverified_email', provider };
    const subject = createHash('sha256').update(address).digest('base64url').slice(0, 28);
    const describe = <Token extends SignJWT | UnsecuredJWT>(token: Token): Token => {
      token
        .setSubject(subject)
        .setIssuer(scenario === 'other_issuer' ? 'https://elsewhere.example' : ISSUER)
        .setAudience(scenario === 'other_audience' ? 'another-product' : AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + LIFETIME_SECONDS);
      return token;
    };
    if (scenario === 'unsigned') return describe(new UnsecuredJWT(claims)).encode();
    const { privateKey } = scenario === 'other_key' ? await generateKeyPair(ALGORITHM) : await this.keys;
    return describe(new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM })).sign(privateKey);
  }

  override async verify(idToken: string): Promise<Identity> {
    const { publicKey } = await this.keys;
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
    const { sub, email, email_verified: isVerified, provider } = claims.data;
    return { uid: sub, email: isVerified ? email : null, source: provider };
  }

  /** There is nothing to forget: accounts here are made up anew with every token. */
  override async forget(): Promise<void> {}
}
