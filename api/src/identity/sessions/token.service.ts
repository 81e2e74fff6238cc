import { Injectable } from '@nestjs/common';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AuthConfig } from './auth.config.js';

const ALGORITHM = 'HS256';
const ISSUER = 'clearframe';
const AUDIENCE = 'clearframe-web';

const Claims = z.object({ sub: z.uuid(), sid: z.uuid() });

/** The session determines whether a token is still valid. */
export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
}

/** Algorithm, issuer and audience are fixed. */
@Injectable()
export class TokenService {
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

  /** Null when the token is not valid. */
  async verify(token: string): Promise<TokenClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.config.key, {
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['exp', 'sub'],
      });
      const claims = Claims.safeParse(payload);
      return claims.success ? { userId: claims.data.sub, sessionId: claims.data.sid } : null;
    } catch {
      return null;
    }
  }
}
