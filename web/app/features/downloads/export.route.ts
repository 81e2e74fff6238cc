import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { preserveVersionParam } from '../../http/internal-address';

export { exportResult as action } from './export.server';

/** Reached after a login that interrupted the export. */
export const loader = ({ request }: LoaderFunctionArgs) =>
  redirect(preserveVersionParam('/history', new URL(request.url).search), 303);
