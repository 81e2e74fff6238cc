import { createHash } from 'node:crypto';
import type { LoginProvider } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';

/** A sign-in provider and the address used there. */
export interface Credential {
  readonly provider: LoginProvider;
  /** In lower case. */
  readonly email: string;
}

/** An account of the sandbox. */
export interface SandboxAccount {
  readonly uid: string;
  /** The address of its first credential. */
  readonly email: string;
}

/** The same address always has the same uid. */
const uidOf = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 28);

/**
 * Accounts and their credentials, in PostgreSQL. The rules of Firebase: an address has one account; a credential belongs
 * to one account; a credential of another account can't be linked.
 */
@Injectable()
export class SandboxAccounts {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** Providers of an address's account, the original one first. */
  providersOf(email: string): Promise<LoginProvider[]> {
    return providersOf(this.database.manager, uidOf(email));
  }

  /**
   * The account of a credential. A new credential is added to the account of its address, which is created if needed.
   * @throws AppError `sandbox.account_exists` if it would have to be added and `onlyLinked` is set
   */
  signIn(credential: Credential, onlyLinked: boolean): Promise<SandboxAccount> {
    return this.change(async (manager) => {
      const owner = await ownerOf(manager, credential);
      if (owner) return owner;
      const { email } = credential;
      const existing = await find(manager, uidOf(email));
      if (existing && onlyLinked) {
        const providers = await providersOf(manager, existing.uid);
        throw new AppError('sandbox.account_exists', { details: { email, providers } });
      }
      const account = existing ?? { uid: uidOf(email), email };
      if (!existing) await manager.query('INSERT INTO sandbox_identities VALUES ($1, $2)', [account.uid, email]);
      await add(manager, account, credential);
      return account;
    });
  }

  /** @throws AppError `sandbox.credential_in_use`, `sandbox.email_in_use`, or `users.identity_rejected` for an unknown uid */
  link(uid: string, credential: Credential): Promise<SandboxAccount> {
    return this.change(async (manager) => {
      const account = await find(manager, uid);
      if (!account) throw new AppError('users.identity_rejected');
      const { email } = credential;
      const owner = await ownerOf(manager, credential);
      if (owner?.uid === uid) return account;
      if (owner) {
        const providers = await providersOf(manager, owner.uid);
        throw new AppError('sandbox.credential_in_use', { details: { email, providers } });
      }
      const other = await find(manager, uidOf(email));
      if (other && other.uid !== uid) {
        const providers = await providersOf(manager, other.uid);
        throw new AppError('sandbox.email_in_use', { details: { email, providers } });
      }
      await add(manager, account, credential);
      return account;
    });
  }

  async delete(uid: string): Promise<void> {
    await this.database.query('DELETE FROM sandbox_identities WHERE uid = $1', [uid]);
  }

  /** Serialises changes across processes. */
  private change<Result>(act: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('sandbox-identity', 0))`);
      return act(manager);
    });
  }
}

async function find(manager: EntityManager, uid: string): Promise<SandboxAccount | undefined> {
  const [account]: SandboxAccount[] = await manager.query('SELECT uid, email FROM sandbox_identities WHERE uid = $1', [
    uid,
  ]);
  return account;
}

async function ownerOf(manager: EntityManager, { provider, email }: Credential): Promise<SandboxAccount | undefined> {
  const [account]: SandboxAccount[] = await manager.query(
    `SELECT a.uid, a.email FROM sandbox_identities a JOIN sandbox_credentials c ON c.uid = a.uid
     WHERE c.provider = $1 AND c.email = $2`,
    [provider, email],
  );
  return account;
}

async function add(manager: EntityManager, { uid }: SandboxAccount, { provider, email }: Credential): Promise<void> {
  await manager.query('INSERT INTO sandbox_credentials (provider, email, uid) VALUES ($1, $2, $3)', [
    provider,
    email,
    uid,
  ]);
}

async function providersOf(manager: EntityManager, uid: string): Promise<LoginProvider[]> {
  const rows: { provider: LoginProvider }[] = await manager.query(
    'SELECT provider FROM sandbox_credentials WHERE uid = $1 GROUP BY provider ORDER BY min(seq)',
    [uid],
  );
  return rows.map(({ provider }) => provider);
}
