import { Injectable } from '@nestjs/common';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { AuthConfig } from './auth.config.js';

const ALGORITHM = 'HS256';
const ISSUER = 'clearframe';
const AUDIENCE = 'clearframe-web';

const Claims = z.object({ sub: z.uuid(), sid: z.uuid() });

/** What a token says. Whether it still holds is the session's word. */
export interface TokenClaims {
  readonly userId: string;
  readonly sessionId: string;
}

/** Signs and reads access tokens. Algorithm, issuer and audience are pinned. */
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

  /** The claims of a good token, or null for any other. */
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
