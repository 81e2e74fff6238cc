import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { type CryptoKey, exportSPKI, generateKeyPair, SignJWT } from 'jose';

const ALGORITHM = 'RS256';
const KEY_ID = 'a-key-of-google';

/** `revoked`: rejects the service account's key. */
type Mode = 'ok' | 'failing' | 'malformed' | 'hanging' | 'revoked';

interface Recorded {
  readonly disabled?: boolean;
  readonly validSince?: string;
}

/**
 * A server for Google's side of Firebase: public keys, signed identity tokens, and user records for callers with a
 * service account.
 */
export class FakeGoogle {
  mode: Mode = 'ok';
  requestCount = 0;
  readonly users = new Map<string, Recorded>();

  private constructor(
    private readonly privateKey: CryptoKey,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<FakeGoogle> {
    const { publicKey, privateKey } = await generateKeyPair(ALGORITHM);
    const keys = JSON.stringify({ [KEY_ID]: await exportSPKI(publicKey) });
    const server = createServer((request, response) => {
      google.requestCount += 1;
      google.answer(request, keys, response).catch((error: Error) => response.destroy(error));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address !== 'object' || !address) throw new Error('a listening server without a port');
    const { port } = address;
    // Redirects HTTPS connections to Google's hosts here; no other hosts are called at the same time.
    const { globalAgent } = https;
    https.globalAgent = new https.Agent();
    https.globalAgent.createConnection = () => connect(port, '127.0.0.1');
    const google = new FakeGoogle(privateKey, async () => {
      https.globalAgent = globalAgent;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    });
    return google;
  }

  sign(projectId: string, change: { claims?: object; header?: object; key?: CryptoKey; age?: number } = {}) {
    const now = Math.floor(Date.now() / 1000) - (change.age ?? 0);
    return new SignJWT({
      auth_time: now,
      user_id: 'uid-1',
      sub: 'uid-1',
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      iat: now,
      exp: now + 3600,
      email: 'Ann@Example.com',
      email_verified: true,
      firebase: { identities: {}, sign_in_provider: 'google.com' },
      ...change.claims,
    })
      .setProtectedHeader({ alg: ALGORITHM, kid: KEY_ID, typ: 'JWT', ...change.header })
      .sign(change.key ?? this.privateKey);
  }

  private async answer(request: IncomingMessage, keys: string, response: ServerResponse): Promise<void> {
    const body = (await request.toArray()).join('');
    const send = (status: number, answer: string): void => {
      // Not cached: every test sees the current behavior.
      response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'max-age=0' }).end(answer);
    };
    if (this.mode === 'hanging') return;
    if (this.mode === 'failing') return send(500, '{"error":"backend error"}');
    if (this.mode === 'malformed') {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to this network</h1>');
      return;
    }
    const path = request.url ?? '';
    if (path.endsWith('/token')) {
      if (this.mode === 'revoked') return send(400, '{"error":"invalid_grant","error_description":"Invalid grant"}');
      return send(200, '{"access_token":"granted","expires_in":3599,"token_type":"Bearer"}');
    }
    if (path.endsWith('accounts:lookup')) return send(200, this.lookUp(JSON.parse(body).localId));
    if (path.endsWith('accounts:delete')) {
      const isKnown = this.users.delete(JSON.parse(body).localId);
      return isKnown ? send(200, '{}') : send(400, '{"error":{"code":400,"message":"USER_NOT_FOUND"}}');
    }
    send(200, keys);
  }

  private lookUp(ids: readonly string[]): string {
    const users = ids.flatMap((localId) => {
      const recorded = this.users.get(localId);
      return recorded ? [{ localId, ...recorded }] : [];
    });
    return JSON.stringify(users.length > 0 ? { users } : {});
  }
}
