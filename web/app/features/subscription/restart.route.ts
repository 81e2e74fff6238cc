import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';
import { accountAddress } from '../../session/account-tabs';

export { restart as action } from './change.server';

/** Reached by a reload, or after a login that interrupted the action. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam(accountAddress('subscription'), new URL(request.url).search), 303);
