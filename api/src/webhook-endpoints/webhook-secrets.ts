import { createHmac, randomBytes } from 'node:crypto';
import { inMilliseconds, WEBHOOK_TIMES } from '@clearframe/contract';
import { Injectable } from '@nestjs/common';
import { Seal } from '../platform/config/seal.js';
import type { StoredSecret, WebhookEndpointRow } from './webhook-endpoints.repository.js';

const SECRET_BYTES = 32;
const MARK = 'whsec_';
/** More replacements within a day drop the oldest. */
const SECRETS_MAX = 5;

type Holder = Pick<WebhookEndpointRow, 'id' | 'secrets'>;

const contextOf = (endpointId: string): string => `webhook endpoint ${endpointId}`;

/** Those that sign today, the newest first. */
const validOf = (secrets: readonly StoredSecret[], now: Date): StoredSecret[] =>
  secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);

/** When the last replaced secret stops to sign; null: only the newest signs. */
export const overlapEndOf = ({ secrets }: Pick<Holder, 'secrets'>, now = new Date()): string | null =>
  validOf(secrets, now).find(({ expiresAt }) => expiresAt !== null)?.expiresAt ?? null;

/** Secrets by the Standard Webhooks scheme: needed in plain text at each delivery, so encrypted instead of hashed. */
@Injectable()
export class WebhookSecrets {
  constructor(private readonly seal: Seal) {}

  /** @returns the new secret, and what is to be stored */
  async roll({ id, secrets }: Holder): Promise<{ readonly secret: string; readonly secrets: StoredSecret[] }> {
    const secret = MARK + randomBytes(SECRET_BYTES).toString('base64');
    const now = new Date();
    const expiresAt = new Date(now.getTime() + inMilliseconds.seconds(WEBHOOK_TIMES.replacedSecret)).toISOString();
    const replaced = validOf(secrets, now).map((one) => ({ ...one, expiresAt: one.expiresAt ?? expiresAt }));
    const newest = { sealed: await this.seal.seal(secret, contextOf(id)), expiresAt: null };
    return { secret, secrets: [newest, ...replaced].slice(0, SECRETS_MAX) };
  }

  /** Headers that authenticate a message. */
  async sign(holder: Holder, messageId: string, body: string): Promise<Record<string, string>> {
    const now = new Date();
    const timestamp = String(Math.floor(now.getTime() / inMilliseconds.seconds(1)));
    const signatures = await Promise.all(
      validOf(holder.secrets, now).map(async ({ sealed }) => {
        const secret = await this.seal.open(sealed, contextOf(holder.id));
        const key = Buffer.from(secret.slice(MARK.length), 'base64');
        return `v1,${createHmac('sha256', key).update(`${messageId}.${timestamp}.${body}`).digest('base64')}`;
      }),
    );
    return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
  }
}
