import type { TestApi } from './application.js';
import { until } from './until.js';
import type { Visitor } from './visitor.js';

/** As staff does; triggers mark the user's downloads as due. */
export async function setFree(api: TestApi, visitor: Visitor, isFree: boolean): Promise<void> {
  const { web_user_id } = await visitor.me();
  await api.sql('UPDATE users SET is_free = $2 WHERE id = $1', [web_user_id, isFree]);
}

/** Until the files that earlier changes of rights call for are ordered. */
export const waitForOrders = (api: TestApi) =>
  until(
    async () => (await api.sql('SELECT FROM users WHERE downloads_due_at <= now()')).length === 0,
    'the orders after a change of rights',
  );
