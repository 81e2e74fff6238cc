import { redirect } from '@remix-run/node';
import { accountAddress } from '../features/account/view/account-tabs';

export { restart as action } from '../features/billing/subscription/change.server';

/** Reached by a reload, or after a login that interrupted the action. */
export const loader = () => redirect(accountAddress('subscription'), 303);
