import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';

export { applyTools as action } from './apply.server';

/** Reached after a login that interrupted the form. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam('/history', new URL(request.url).search), 303);
