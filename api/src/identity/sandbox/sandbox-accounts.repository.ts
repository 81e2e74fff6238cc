import type { LoginProvider } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';

export interface Credential {
  readonly provider: LoginProvider;
  /** In lower case. */
  readonly email: string;
}

export interface SandboxAccount {
  readonly uid: string;
  /** Of its first credential. */
  readonly email: string;
}

@Injectable()
export class SandboxAccountsRepository {
  constructor(@InjectDataSource() private readonly database: DataSource) {}

  /** One at a time across processes. */
  change<Result>(act: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      await manager.query(`SELECT pg_advisory_xact_lock(hashtextextended('sandbox-identity', 0))`);
      return act(manager);
    });
  }

  async find(manager: EntityManager, uid: string): Promise<SandboxAccount | undefined> {
    const [account]: SandboxAccount[] = await manager.query(
      'SELECT uid, email FROM sandbox_identities WHERE uid = $1',
      [uid],
    );
    return account;
  }

  async findByCredential(manager: EntityManager, { provider, email }: Credential): Promise<SandboxAccount | undefined> {
    const [account]: SandboxAccount[] = await manager.query(
      `SELECT a.uid, a.email FROM sandbox_identities a JOIN sandbox_credentials c ON c.uid = a.uid
       WHERE c.provider = $1 AND c.email = $2`,
      [provider, email],
    );
    return account;
  }

  /** The original one first. */
  async providersOf(uid: string, manager: EntityManager = this.database.manager): Promise<LoginProvider[]> {
    const rows: { provider: LoginProvider }[] = await manager.query(
      'SELECT provider FROM sandbox_credentials WHERE uid = $1 GROUP BY provider ORDER BY min(seq)',
      [uid],
    );
    return rows.map(({ provider }) => provider);
  }

  async insert(manager: EntityManager, { uid, email }: SandboxAccount): Promise<void> {
    await manager.query('INSERT INTO sandbox_identities (uid, email) VALUES ($1, $2)', [uid, email]);
  }

  async insertCredential(manager: EntityManager, uid: string, { provider, email }: Credential): Promise<void> {
    await manager.query('INSERT INTO sandbox_credentials (provider, email, uid) VALUES ($1, $2, $3)', [
      provider,
      email,
      uid,
    ]);
  }

  async delete(uid: string): Promise<void> {
    await this.database.query('DELETE FROM sandbox_identities WHERE uid = $1', [uid]);
  }
}
