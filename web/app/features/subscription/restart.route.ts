import type { LoaderFunctionArgs } from '@remix-run/node';
import { seeOther } from '../../http/answer.server';
import { accountAddress } from '../../session/account-tabs';

export { restart as action } from './change.server';

/** Reached by a reload, or after a login that interrupted the action. */
export const loader = ({ request }: LoaderFunctionArgs) => seeOther(accountAddress('subscription'), request);
