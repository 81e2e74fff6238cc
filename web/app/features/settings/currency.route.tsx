import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';

export { chooseCurrency as action } from './currency.server';

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

/** Never rendered: errors of the action get an error page. */
export default function CurrencyRoute() {
  return null;
}
