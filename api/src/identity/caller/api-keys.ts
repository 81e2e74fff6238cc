import type { KeyScope } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A valid API key. */
export interface ApiKeyGrant {
  readonly keyId: string;
  /** The owner of the key. */
  readonly userId: string;
  readonly scopes: readonly KeyScope[];
}

/** Verifies API keys. */
export abstract class ApiKeys {
  /** Null when the key is unknown or revoked. */
  abstract verify(key: string): Promise<ApiKeyGrant | null>;
  /** Prevents revocation of a key until the transaction ends. False when it has been revoked. */
  abstract hold(manager: EntityManager, keyId: string): Promise<boolean>;
}

/** Rejects every key: the product does not issue keys yet. */
@Injectable()
export class NoApiKeys extends ApiKeys {
  override async verify(): Promise<null> {
    return null;
  }

  override async hold(): Promise<boolean> {
    return false;
  }
}
