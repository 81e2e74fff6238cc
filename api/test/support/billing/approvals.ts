import type { TestApi } from '../application.js';
import { type Customer, price } from './customer.js';

type ApiResult = { status: number; body: { error_code?: string; status?: string } };
export const resultOf = ({ status, body }: ApiResult) => [status, body.error_code ?? body.status];

/** @returns what the approval must carry */
export async function checkout(customer: Customer, name: string, rest: object = {}): Promise<string> {
  const body = { price_id: price(name), provider: 'paypal', ...rest };
  return (await customer.visitor.post('/checkouts', body).expect(201)).body.custom_id;
}

export const refusalMailsTo = (api: TestApi, email: string) =>
  api.sql<{ body: string }>(`SELECT body FROM mail_messages WHERE recipient = $1 AND kind = 'approvalRefused'`, [
    email,
  ]);

export async function sweepCheckouts(customer: Customer): Promise<void> {
  const userId = await customer.userId();
  await customer.api.sql(`UPDATE checkouts SET next_check_at = now() WHERE user_id = $1`, [userId]);
}
