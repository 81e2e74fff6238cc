import { type Environment, readEnvironment, secret } from '@clearframe/runtime/config';
import { Injectable } from '@nestjs/common';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

const schema = z.object({ CLEARFRAME_JWT_SECRET: secret() });

export class AuthConfig {
  private constructor(readonly key: Uint8Array) {}

  static fromEnvironment(environment: Environment): AuthConfig {
    return new AuthConfig(new TextEncoder().encode(readEnvironment(schema, environment).CLEARFRAME_JWT_SECRET));
  }
}

const ALGORITHM = 'HS256';
const ISSUER = 'clearframe';
const AUDIENCE = 'clearframe-web';

const Claims = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });

/** About 5 MB. The oldest is dropped first; checking it again costs little. */
const MAX_VERIFIED = 10_000;

/** The session determines whether a token is still valid. */
interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
}

interface VerifiedClaims extends TokenClaims {
  readonly expiresAt: number;
}

@Injectable()
export class TokenService {
  /**
   * Pages poll with one token: WebCrypto checks signatures on another thread, which on a busy machine took a third of a
   * status call.
   */
  private readonly verified = new Map<string, VerifiedClaims>();

  constructor(private readonly config: AuthConfig) {}

  sign({ userId, sessionId }: TokenClaims, kind: 'guest' | 'user', expiresAt: Date): Promise<string> {
    return new SignJWT({ sid: sessionId, kind })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(userId)
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setIssuedAt()
      .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
      .sign(this.config.key);
  }

  async verify(token: string): Promise<TokenClaims | null> {
    const known = this.verified.get(token);
    if (known && known.expiresAt > Date.now()) return known;
    try {
      const { payload } = await jwtVerify(token, this.config.key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub'],
      });
      const { sub: userId, sid: sessionId, exp } = Claims.parse(payload);
      const claims = { userId, sessionId, expiresAt: exp * 1000 };
      const [oldest] = this.verified.keys();
      if (oldest !== undefined && this.verified.size >= MAX_VERIFIED) this.verified.delete(oldest);
      this.verified.set(token, claims);
      return claims;
    } catch {
      return null;
    }
  }
}
