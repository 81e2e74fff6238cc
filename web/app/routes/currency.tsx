import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../http/problem.server';

export { chooseCurrency as action } from '../features/settings/currency.server';

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

/** Never rendered; with a component, errors of this route get a page of their own. */
export default function CurrencyRoute() {
  return null;
}
