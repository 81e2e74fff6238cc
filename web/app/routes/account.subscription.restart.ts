import { redirect } from '@remix-run/node';
import { accountAddress } from '../features/account/account-tabs';

export { restart as action } from '../features/subscription/change.server';

/** Somebody who reloads, or was asked to log in on the way. */
export const loader = () => redirect(accountAddress('subscription'), 303);
