import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { ProviderEvent } from '../../port/payment-provider.js';
import { SandboxLedger } from '../core/ledger.js';
import type { LedgerEvent } from '../core/system.entities.js';
import { isSigned, SIGNATURE_HEADER, signatureOf } from './signature.js';

/** Names the subject only; the product reads its state. */
const EventBody = z.object({
  id: z.string(),
  type: z.string(),
  provider: z.enum(['stripe', 'paypal']),
  subject: z.object({ kind: z.enum(['subscription', 'payment', 'setup']), id: z.string() }),
});

export interface SignedEvent {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

@Injectable()
export class SandboxEvents {
  constructor(private readonly ledger: SandboxLedger) {}

  /** @param signedAt real time */
  async sign(event: LedgerEvent, signedAt = new Date()): Promise<SignedEvent> {
    const body = JSON.stringify({
      id: event.id,
      type: event.type,
      provider: event.provider,
      subject: { kind: event.subjectKind, id: event.subjectId },
      created_at: event.createdAt.toISOString(),
    });
    return {
      body,
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signatureOf(await this.ledger.webhookSecret(), body, signedAt),
      },
    };
  }

  /** @returns null for an invalid signature */
  async read(
    rawBody: Buffer,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): Promise<ProviderEvent | null> {
    const secret = await this.ledger.webhookSecret();
    if (!isSigned(secret, rawBody, headers[SIGNATURE_HEADER], new Date())) return null;
    const { id, type, provider, subject } = EventBody.parse(JSON.parse(rawBody.toString()));
    return { id, type, subject: subject.kind === 'setup' ? null : { ...subject, kind: subject.kind, provider } };
  }
}
