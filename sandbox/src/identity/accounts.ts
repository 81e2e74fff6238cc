import { createHash } from 'node:crypto';
import type { LoginProvider } from '@clearframe/contract';
import type { PoolClient } from 'pg';
import type { SandboxDatabase } from '../core/database.js';
import { Rejection } from '../core/problem.js';

interface Credential {
  readonly provider: LoginProvider;
  /** In lower case. */
  readonly email: string;
}

interface Account {
  readonly uid: string;
  /** Address of its first credential. */
  readonly email: string;
}

/** The same address always has the same uid. */
const uidOf = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 28);

/** Firebase's rules: an address has one account; a credential belongs to one account, and another can't link it. */
export class Accounts {
  constructor(private readonly database: SandboxDatabase) {}

  /** The original one first. */
  providersOf(email: string): Promise<LoginProvider[]> {
    return this.database.transact((client) => providersOf(client, uidOf(email)), true);
  }

  /**
   * Adds a new credential to the account of its address, which is created if needed.
   * @throws Rejection `sandbox.account_exists` if `onlyLinked` forbids adding it
   */
  signIn(credential: Credential, onlyLinked: boolean): Promise<Account> {
    return this.change(async (client) => {
      const owner = await findByCredential(client, credential);
      if (owner) return owner;
      const { email } = credential;
      const existing = await find(client, uidOf(email));
      if (existing && onlyLinked) throw await conflict(client, 'sandbox.account_exists', email, existing);
      const account = existing ?? { uid: uidOf(email), email };
      if (!existing)
        await client.query('INSERT INTO sandbox.accounts (uid, email) VALUES ($1, $2)', [account.uid, email]);
      await addCredential(client, account.uid, credential);
      return account;
    });
  }

  /** @throws Rejection `sandbox.credential_in_use`, `sandbox.email_in_use`; `users.identity_rejected` for an unknown uid */
  link(uid: string, credential: Credential): Promise<Account> {
    return this.change(async (client) => {
      const account = await find(client, uid);
      if (!account) throw new Rejection('users.identity_rejected');
      const { email } = credential;
      const owner = await findByCredential(client, credential);
      if (owner?.uid === uid) return account;
      if (owner) throw await conflict(client, 'sandbox.credential_in_use', email, owner);
      const other = await find(client, uidOf(email));
      if (other && other.uid !== uid) throw await conflict(client, 'sandbox.email_in_use', email, other);
      await addCredential(client, uid, credential);
      return account;
    });
  }

  async delete(uid: string): Promise<void> {
    await this.database.transact((client) => client.query('DELETE FROM sandbox.accounts WHERE uid = $1', [uid]));
  }

  private change<Result>(act: (client: PoolClient) => Promise<Result>): Promise<Result> {
    return this.database.transact(async (client) => {
      await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('sandbox-identity', 0))`);
      return act(client);
    });
  }
}

async function find(client: PoolClient, uid: string): Promise<Account | undefined> {
  const { rows } = await client.query<Account>('SELECT uid, email FROM sandbox.accounts WHERE uid = $1', [uid]);
  return rows[0];
}

async function findByCredential(client: PoolClient, { provider, email }: Credential): Promise<Account | undefined> {
  const { rows } = await client.query<Account>(
    `SELECT a.uid, a.email FROM sandbox.accounts a JOIN sandbox.credentials c ON c.uid = a.uid
     WHERE c.provider = $1 AND c.email = $2`,
    [provider, email],
  );
  return rows[0];
}

async function addCredential(client: PoolClient, uid: string, { provider, email }: Credential): Promise<void> {
  await client.query('INSERT INTO sandbox.credentials (provider, email, uid) VALUES ($1, $2, $3)', [
    provider,
    email,
    uid,
  ]);
}

async function providersOf(client: PoolClient, uid: string): Promise<LoginProvider[]> {
  const { rows } = await client.query<{ provider: LoginProvider }>(
    'SELECT provider FROM sandbox.credentials WHERE uid = $1 GROUP BY provider ORDER BY min(seq)',
    [uid],
  );
  return rows.map(({ provider }) => provider);
}

async function conflict(
  client: PoolClient,
  code: 'sandbox.account_exists' | 'sandbox.credential_in_use' | 'sandbox.email_in_use',
  email: string,
  { uid }: Account,
): Promise<Rejection> {
  return new Rejection(code, undefined, { email, providers: await providersOf(client, uid) });
}
