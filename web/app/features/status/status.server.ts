import { SERVICE_COMPONENTS, type ServiceStatus, serviceStatusRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { orNull } from '../../http/problem.server';

/** What is known while the API doesn't answer. */
const UNREACHABLE: ServiceStatus = {
  status: 'outage',
  components: SERVICE_COMPONENTS.map((name) => ({ name, status: 'outage', waitingSeconds: null, since: null })),
};

export async function fetchServiceStatus({ request, context }: Pick<LoaderFunctionArgs, 'request' | 'context'>) {
  const status = await orNull(callApi(serviceStatusRoutes.getServiceStatus, {}, { request, context }), {
    request,
    context,
  });
  return status ?? UNREACHABLE;
}
