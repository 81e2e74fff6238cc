import { redirect } from '@remix-run/node';
import { accountAddress } from '../features/account/view/account-tabs';

export { restart as action } from '../features/billing/subscription/change.server';

/** Somebody who reloads, or was asked to log in on the way. */
export const loader = () => redirect(accountAddress('subscription'), 303);
