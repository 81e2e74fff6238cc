import { ServiceStatus, toWire } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { fetchServiceStatus } from './status.server';

/** For monitors: always 200, as its own answer says the state. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  return Response.json(toWire(ServiceStatus, await fetchServiceStatus(args)), {
    headers: { 'cache-control': 'no-store', 'access-control-allow-origin': '*' },
  });
}
