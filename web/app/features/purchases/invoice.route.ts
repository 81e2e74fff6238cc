import { receiptRoutes } from '@clearframe/contract';
import type { LoaderFunctionArgs } from '@remix-run/node';
import { downloadFromApi } from '../../http/api.server';
import { startLogin, tokenOf } from '../../session/visitor.server';

/** Downloads the invoice of a charge as a PDF. */
export async function loader({ request, context, params }: LoaderFunctionArgs): Promise<Response> {
  const token = await tokenOf(request, context);
  if (!token) throw await startLogin({ request, context });
  const { number = '' } = params;
  return downloadFromApi(receiptRoutes.downloadInvoice, { params: { number } }, { request, context, token });
}
