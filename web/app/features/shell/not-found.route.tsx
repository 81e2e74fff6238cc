import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

export const action = loader;

export default function NotFoundRoute() {
  return null;
}
