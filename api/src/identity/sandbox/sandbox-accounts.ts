import { createHash } from 'node:crypto';
import type { LoginProvider } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AppError } from '../../platform/errors/app-error.js';
import { type Credential, type SandboxAccount, SandboxAccountsRepository } from './sandbox-accounts.repository.js';

/** The same address always has the same uid. */
const uidOf = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 28);

/**
 * Rules of Firebase: an address has one account; a credential belongs to one account, and another account can't link
 * it.
 */
@Injectable()
export class SandboxAccounts {
  constructor(private readonly repository: SandboxAccountsRepository) {}

  /** The original one first. */
  providersOf(email: string): Promise<LoginProvider[]> {
    return this.repository.providersOf(uidOf(email));
  }

  /**
   * Adds a new credential to the account of its address, which is created if needed.
   * @throws AppError `sandbox.account_exists` if `onlyLinked` forbids adding it
   */
  signIn(credential: Credential, onlyLinked: boolean): Promise<SandboxAccount> {
    return this.repository.change(async (manager) => {
      const owner = await this.repository.findByCredential(manager, credential);
      if (owner) return owner;
      const { email } = credential;
      const existing = await this.repository.find(manager, uidOf(email));
      if (existing && onlyLinked) throw await this.conflict(manager, 'sandbox.account_exists', email, existing);
      const account = existing ?? { uid: uidOf(email), email };
      if (!existing) await this.repository.insert(manager, account);
      await this.repository.insertCredential(manager, account.uid, credential);
      return account;
    });
  }

  /**
   * @throws AppError `sandbox.credential_in_use`, `sandbox.email_in_use`; `users.identity_rejected` for an unknown uid
   */
  link(uid: string, credential: Credential): Promise<SandboxAccount> {
    return this.repository.change(async (manager) => {
      const account = await this.repository.find(manager, uid);
      if (!account) throw new AppError('users.identity_rejected');
      const { email } = credential;
      const owner = await this.repository.findByCredential(manager, credential);
      if (owner?.uid === uid) return account;
      if (owner) throw await this.conflict(manager, 'sandbox.credential_in_use', email, owner);
      const other = await this.repository.find(manager, uidOf(email));
      if (other && other.uid !== uid) throw await this.conflict(manager, 'sandbox.email_in_use', email, other);
      await this.repository.insertCredential(manager, uid, credential);
      return account;
    });
  }

  delete(uid: string): Promise<void> {
    return this.repository.delete(uid);
  }

  private async conflict(
    manager: EntityManager,
    code: 'sandbox.account_exists' | 'sandbox.credential_in_use' | 'sandbox.email_in_use',
    email: string,
    { uid }: SandboxAccount,
  ): Promise<AppError> {
    return new AppError(code, { details: { email, providers: await this.repository.providersOf(uid, manager) } });
  }
}
