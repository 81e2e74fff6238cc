import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { accountAddress } from '../features/account/view/account-tabs';
import { preserveVersionParam } from '../http/internal-address';

export { restart as action } from '../features/billing/subscription/change.server';

/** Reached by a reload, or after a login that interrupted the action. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam(accountAddress('subscription'), new URL(request.url).search), 303);
