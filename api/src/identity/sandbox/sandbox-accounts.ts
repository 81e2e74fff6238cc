import { createHash } from 'node:crypto';
import type { LoginProvider } from '@clearframe/contract';
import { AppError } from '../../platform/errors/app-error.js';

/** One way in which somebody signs in: a provider, and the address they have there. */
export interface Credential {
  readonly provider: LoginProvider;
  /** In lower case. */
  readonly email: string;
}

/** Somebody of the sandbox. */
export interface SandboxAccount {
  readonly uid: string;
  /** The address they came with first. */
  readonly email: string;
  /** The first is the original one. */
  readonly credentials: Credential[];
}

const sameCredential = (a: Credential, b: Credential): boolean => a.provider === b.provider && a.email === b.email;

/** The same address is the same uid after every start. */
const uidOf = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 28);

/**
 * Who has signed in by what, as far as this start of the sandbox has seen. Firebase's rules, told in its words: an
 * address is one account; a credential belongs to one account; what is linked must be nobody else's.
 */
export class SandboxAccounts {
  private readonly byUid = new Map<string, SandboxAccount>();

  providersOf(email: string): LoginProvider[] {
    return providersOf(this.byUid.get(uidOf(email)));
  }

  /**
   * The account behind a credential; one that is new is made, or added to the account of its address.
   * @throws AppError `sandbox.account_exists` if it would have to be added and `onlyLinked` forbids it
   */
  signIn(credential: Credential, onlyLinked: boolean): SandboxAccount {
    const owner = this.ownerOf(credential);
    if (owner) return owner;
    const { email } = credential;
    const account = this.byUid.get(uidOf(email));
    if (account && onlyLinked) {
      throw new AppError('sandbox.account_exists', { details: { email, providers: providersOf(account) } });
    }
    if (account) {
      account.credentials.push(credential);
      return account;
    }
    const fresh = { uid: uidOf(email), email, credentials: [credential] };
    this.byUid.set(fresh.uid, fresh);
    return fresh;
  }

  /** @throws AppError `sandbox.credential_in_use`, `sandbox.email_in_use`, or `users.identity_rejected` for an unknown uid */
  link(uid: string, credential: Credential): SandboxAccount {
    const account = this.byUid.get(uid);
    if (!account) throw new AppError('users.identity_rejected');
    const owner = this.ownerOf(credential);
    if (owner === account) return account;
    const { email } = credential;
    if (owner) throw new AppError('sandbox.credential_in_use', { details: { email, providers: providersOf(owner) } });
    const namesake = this.byUid.get(uidOf(email));
    if (namesake && namesake !== account) {
      throw new AppError('sandbox.email_in_use', { details: { email, providers: providersOf(namesake) } });
    }
    account.credentials.push(credential);
    return account;
  }

  forget(uid: string): void {
    this.byUid.delete(uid);
  }

  private ownerOf(credential: Credential): SandboxAccount | undefined {
    return [...this.byUid.values()].find(({ credentials }) =>
      credentials.some((other) => sameCredential(other, credential)),
    );
  }
}

const providersOf = (account: SandboxAccount | undefined): LoginProvider[] => [
  ...new Set(account?.credentials.map(({ provider }) => provider)),
];
