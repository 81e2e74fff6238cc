import { toWire, UserExport, userExportRoutes } from '@clearframe/contract';
import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { accountAddress } from '../../session/account-tabs';
import { tokenOf } from '../../session/visitor.server';

/** Downloads the visitor's data as JSON, with the field names of the public API. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const token = await tokenOf(request, context);
  if (!token) throw redirect(accountAddress('general') + new URL(request.url).search, 303);
  const everything = await callApi(userExportRoutes.exportCurrentUser, {}, { context, request, token });
  const day = everything.exportedAt.slice(0, 10);
  return new Response(`${JSON.stringify(toWire(UserExport, everything), null, 2)}\n`, {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="clearframe-${day}.json"`,
    },
  });
}
