import { fromWire, type IdentityScenario, inSeconds, type LoginProvider, sandboxRoutes } from '@clearframe/contract';
import type { FastifyInstance } from 'fastify';
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { z } from 'zod';
import type { SandboxDatabase } from '../core/database.js';
import { productScope, Rejection, readInput } from '../core/problem.js';
import type { Accounts } from './accounts.js';

const ALGORITHM = 'RS256';

interface SigningKey {
  readonly id: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

interface Row {
  readonly private_jwk: JWK;
  readonly public_jwk: JWK;
}

/** The key pair of identity tokens, made at first use and kept in the database: tokens outlive a restart. */
export class SigningKeys {
  private loading: Promise<SigningKey> | undefined;

  constructor(private readonly database: SandboxDatabase) {}

  current(): Promise<SigningKey> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async load(): Promise<SigningKey> {
    const row = (await this.find()) ?? (await this.create());
    const id = await calculateJwkThumbprint(row.public_jwk);
    return {
      id,
      privateKey: await importKey(row.private_jwk),
      publicKey: await importKey(row.public_jwk),
      publicJwk: { ...row.public_jwk, kid: id, alg: ALGORITHM, use: 'sig' },
    };
  }

  private find(): Promise<Row | undefined> {
    return this.database.transact(async (client) => {
      const { rows } = await client.query<Row>('SELECT private_jwk, public_jwk FROM sandbox.signing_keys');
      return rows[0];
    }, true);
  }

  /** If several processes start concurrently, the first stores its key. */
  private async create(): Promise<Row> {
    const pair = await generateKeyPair(ALGORITHM, { extractable: true });
    const jwks = [await exportJWK(pair.privateKey), await exportJWK(pair.publicKey)];
    await this.database.transact((client) =>
      client.query('INSERT INTO sandbox.signing_keys VALUES (1, $1, $2) ON CONFLICT DO NOTHING', jwks),
    );
    const stored = await this.find();
    if (!stored) throw new Error('the sandbox has no key');
    return stored;
  }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, ALGORITHM);
  if (key instanceof Uint8Array) throw new Error('the key of the sandbox is not an RSA key');
  return key;
}

const ISSUER = 'https://identity.sandbox.clearframe';
const AUDIENCE = 'clearframe-sandbox';
const LIFETIME_SECONDS = inSeconds.hours(1);

interface TokenRequest {
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

const { body: TokenBody } = sandboxRoutes.issueIdentityToken;
const AccountQuery = z.object({ email: z.email() });

/** Sign-in, and what only the product's backend calls: the key set (RFC 7517) and the deletion of a user. */
export class IdentityRoutes {
  constructor(
    private readonly keys: SigningKeys,
    private readonly accounts: Accounts,
    private readonly tokens: IdentityTokens,
  ) {}

  async mount(fastify: FastifyInstance): Promise<void> {
    await productScope(fastify, (scope) => {
      scope.post('/api/sandbox/identity/tokens', async ({ body }) => ({
        id_token: await this.tokens.issue(readInput(TokenBody, fromWire(TokenBody, body))),
      }));
      scope.get('/api/sandbox/identity/accounts', async ({ query }) => {
        const { email } = readInput(AccountQuery, query);
        return { email, providers: await this.accounts.providersOf(email.toLowerCase()) };
      });
      scope.delete('/internal/identity/accounts/:uid', async ({ params }, reply) => {
        await this.accounts.delete((params as { uid: string }).uid);
        return reply.status(204).send();
      });
      scope.get('/internal/identity/keys', async () => ({ keys: [(await this.keys.current()).publicJwk] }));
    });
  }
}
