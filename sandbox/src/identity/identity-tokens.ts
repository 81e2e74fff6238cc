import { type IdentityScenario, inSeconds, type LoginProvider } from '@clearframe/contract';
import { generateKeyPair, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { Rejection } from '../core/problem.js';
import type { Accounts } from './accounts.js';
import { ALGORITHM, type SigningKeys } from './signing-keys.js';

const ISSUER = 'https://identity.sandbox.clearframe';
const AUDIENCE = 'clearframe-sandbox';
const LIFETIME_SECONDS = inSeconds.hours(1);

export interface TokenRequest {
  readonly provider: LoginProvider;
  readonly email: string;
  readonly scenario?: IdentityScenario | undefined;
  /** Reject an address that has signed in only by other providers, as real providers do. */
  readonly onlyLinked?: boolean | undefined;
  /** Identity token of the account to link this provider and address to. */
  readonly linkTo?: string | undefined;
}

/** Signs in any address without proof. Like the real provider it has one account for an address. */
export class IdentityTokens {
  constructor(
    private readonly keys: SigningKeys,
    private readonly accounts: Accounts,
  ) {}

  async issue({ provider, email, scenario, onlyLinked = false, linkTo }: TokenRequest): Promise<string> {
    const credential = { provider, email: email.toLowerCase() };
    const account = linkTo
      ? await this.accounts.link(await this.uidOf(linkTo), credential)
      : await this.accounts.signIn(credential, onlyLinked);
    const now = Math.floor(Date.now() / 1000);
    const issuedAt = scenario === 'expired' ? now - 2 * LIFETIME_SECONDS : now;
    const claims = {
      email: account.email,
      email_verified: scenario !== 'unverified_email',
      provider: scenario === 'anonymous' ? 'anonymous' : provider,
      // State of the user, which a real provider stores instead of writing it into the token.
      failure: scenario === 'disabled' || scenario === 'unavailable' ? scenario : null,
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
    const key = await this.keys.current();
    const { privateKey } = scenario === 'other_key' ? await generateKeyPair(ALGORITHM) : key;
    return describe(new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: key.id })).sign(privateKey);
  }

  private async uidOf(idToken: string): Promise<string> {
    const { publicKey } = await this.keys.current();
    const options = { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE, requiredClaims: ['exp', 'sub'] };
    const { payload } = await jwtVerify(idToken, publicKey, options).catch(() => {
      throw new Rejection('users.identity_rejected');
    });
    return payload.sub ?? '';
  }
}
