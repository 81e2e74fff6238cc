import type { KeyScope } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

export interface ApiKeyGrant {
  readonly keyId: string;
  readonly userId: string;
  readonly scopes: readonly KeyScope[];
}

export abstract class ApiKeys {
  abstract verify(key: string): Promise<ApiKeyGrant | null>;
  /** Keeps a key from being revoked until the transaction ends. False when it has been revoked. */
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
