import { Seal } from '../../src/platform/config/seal.js';
import type { TestApi } from './application.js';

export interface StoredMail {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
}

export async function storedMail(api: TestApi, to: string): Promise<StoredMail[]> {
  const rows = await api.sql<StoredMail & { sealed_body: string | null }>(
    'SELECT id, kind, subject, body, sealed_body FROM mail_messages WHERE recipient = $1 ORDER BY created_at',
    [to],
  );
  const seal = api.app.get(Seal, { strict: false });
  return Promise.all(
    rows.map(async ({ id, kind, subject, body, sealed_body }) => ({
      id,
      kind,
      subject,
      body: sealed_body === null ? body : await seal.open(sealed_body, id),
    })),
  );
}
