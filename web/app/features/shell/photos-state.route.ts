import type { LoaderFunctionArgs } from '@remix-run/node';
import { photosStateOf } from '../../session/photos-state.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const isSeen = new URL(request.url).searchParams.has('seen');
  return Response.json(await photosStateOf({ request, context, headers }, isSeen), { headers });
}
