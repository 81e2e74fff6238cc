import { objectKeys } from '@clearframe/contract';
import { signQuery } from '@clearframe/runtime/storage';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../platform/config/app.config.js';
import { SigningConfig } from '../platform/storage/signed-url.js';
import { resumableExpiryOf } from './uploads.service.js';

/** Signed in place of a method: an address allows every request of the protocol. */
export const RESUMABLE_METHOD = 'TUS';

interface Announced {
  readonly id: string;
  readonly declaredSizeBytes: number | null;
  readonly createdAt: Date;
}

@Injectable()
export class ResumableAddress {
  constructor(
    private readonly app: AppConfig,
    private readonly signing: SigningConfig,
  ) {}

  /** Null for small files and undeclared sizes. */
  of(task: Announced): string | null {
    const expiry = resumableExpiryOf(task);
    if (!expiry) return null;
    const expires = String(Math.floor(expiry.getTime() / 1000));
    const query = signQuery(this.signing.secret, RESUMABLE_METHOD, objectKeys.uploadParts(task.id), { expires });
    return `${this.app.publicUrl}/media/resumable/${task.id}?${query}`;
  }
}
