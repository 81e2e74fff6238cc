import type { LoaderFunctionArgs } from '@remix-run/node';
import { throwPageFor } from '../../http/problem.server';
import { compiledMessagesOf } from '../../i18n/i18n.server';

/** For client navigation. The URL changes with every build. */
export function loader({ params, context }: LoaderFunctionArgs) {
  const messages = compiledMessagesOf(params.language ?? '', params.namespace ?? '');
  if (!messages) return throwPageFor('request.not_found', context);
  return Response.json(messages, { headers: { 'cache-control': 'public, max-age=86400' } });
}
