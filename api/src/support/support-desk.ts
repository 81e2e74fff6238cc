import type { Role } from '@clearframe/contract';
import { notConfigured } from '../platform/errors/app-error.js';

/** A request as support agents see it. */
export interface DeskTicket {
  /** Ours; a desk has at most one ticket for each. */
  readonly requestId: string;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  readonly body: string;
  readonly source: string;
  readonly device: string;
  readonly browser: string;
  /** Of the error that led to the request; empty without one. */
  readonly eventId: string;
  /** The visitor's, guests included; null for calls without a session. */
  readonly account: { readonly userId: string; readonly role: Role } | null;
}

/** The desk limits requests. */
export class DeskBusy extends Error {
  override readonly name = 'DeskBusy';

  constructor(readonly retryAfterMs: number) {
    super(`the support desk accepts the next request in ${retryAfterMs} ms`);
  }
}

/** The provider of the software that support agents work with. */
export abstract class SupportDesk {
  /** @throws AppError `service.not_configured` */
  abstract requireConfigured(): void;
  /**
   * Creates a ticket, or finds the one of an earlier attempt.
   * @returns the desk's id
   * @throws PermanentFailure for a ticket that the desk rejects permanently
   * @throws DeskBusy
   */
  abstract deliver(ticket: DeskTicket, signal: AbortSignal): Promise<string>;
  /**
   * Deletes the ticket of a request with its text, if there is one.
   * @throws DeskBusy
   */
  abstract delete(requestId: string, signal: AbortSignal): Promise<void>;
}

export class UnconfiguredDesk extends SupportDesk {
  requireConfigured(): never {
    throw notConfigured('the support desk');
  }

  async deliver(): Promise<never> {
    return this.requireConfigured();
  }

  async delete(): Promise<never> {
    return this.requireConfigured();
  }
}
