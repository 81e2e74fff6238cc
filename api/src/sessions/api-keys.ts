import type { EntityManager } from 'typeorm';

/** API keys as credentials. Implemented by a higher layer, which issues them. */
export abstract class ApiKeys {
  /** Keeps a key from being revoked until the transaction ends. False when it has been revoked. */
  abstract hold(manager: EntityManager, keyId: string): Promise<boolean>;
  /** Revokes every key of a user; waits for transactions that {@link hold} one. */
  abstract revokeAll(userId: string, manager?: EntityManager): Promise<void>;
}
