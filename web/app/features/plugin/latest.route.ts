import type { LoaderFunctionArgs } from '@remix-run/node';
import { PLUGIN_FILE, packedPlugin } from './plugin.server';

/** Asked by installed plug-ins, which offer an update. */
export function loader({ context }: LoaderFunctionArgs): Response {
  const { ccx, version, sha256 } = packedPlugin(context.settings);
  const url = new URL(PLUGIN_FILE, context.settings.publicUrl).href;
  return Response.json(
    { version, url, size_bytes: ccx.length, sha256 },
    { headers: { 'cache-control': 'public, max-age=300' } },
  );
}
