import type { LoaderFunctionArgs } from '@remix-run/node';
import { packedPlugin } from './plugin.server';

/** The file that Creative Cloud installs. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { ccx, version } = packedPlugin(context.settings);
  return new Response(ccx, {
    headers: {
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="clearframe-${version}.ccx"`,
      'cache-control': 'public, max-age=300',
    },
  });
}
