import type { LoaderFunctionArgs } from '@remix-run/node';
import { uploaderOf, uploadSettingsOf, userOrNull } from './uploader.server';

/** Returns as JSON what the script needs to decide on several files or a video. */
export async function loader({ request, context }: LoaderFunctionArgs): Promise<Response> {
  const [user, settings] = await Promise.all([userOrNull(request, context), uploadSettingsOf(request, context)]);
  return Response.json(uploaderOf(user, settings));
}
