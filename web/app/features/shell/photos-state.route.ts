import type { LoaderFunctionArgs } from '@remix-run/node';
import { photosStateOf } from '../../session/photos-state.server';

export async function loader({ request, context }: LoaderFunctionArgs) {
  const isSeen = new URL(request.url).searchParams.has('seen');
  return Response.json(await photosStateOf({ request, context }, isSeen));
}
