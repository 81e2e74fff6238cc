import { type ErrorCode, resultRoutes, type Tiles } from '@clearframe/contract';
import type { ActionFunctionArgs, AppLoadContext } from '@remix-run/node';
import { z } from 'zod';
import { callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { readForm } from '../../http/form.server';
import { asApiError } from '../../http/problem.server';
import { tokenOf } from '../../session/visitor.server';
import type { TileSource, TilesView } from './use-tiles';

/** Temporary: a login moves the picture, or the session ends. The page asks again. */
const TEMPORARY: readonly ErrorCode[] = ['tasks.not_found', 'users.not_authorized', 'queue.full'];

const PENDING: TilesView = { isPending: true, before: null, after: null };

/** Orders the tiles of a result and of its original, or returns them; idempotent. */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  const { outputId } = await readForm(request, context, z.object({ outputId: z.string() }));
  try {
    const token = await tokenOf(request, context);
    const { status, input, output } = await callApi(
      resultRoutes.createTiles,
      { params: { taskId: params.taskId ?? '' }, body: { outputId } },
      { context, request, token },
    );
    const sourceOf = (tiles: Tiles['input']) => tiles && tileSource(tiles, context);
    const view: TilesView = { isPending: status === 'pending', before: sourceOf(input), after: sourceOf(output) };
    return Response.json(view);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (TEMPORARY.includes(problem.code)) return Response.json(PENDING);
    throw problem;
  }
}

function tileSource(
  { url, width, height, contentType }: NonNullable<Tiles['input']>,
  { settings }: AppLoadContext,
): TileSource {
  // A URL escapes the braces of the places.
  const address = browserAddress(url, settings).replace(/%7B(\w+)%7D/gi, '{$1}');
  return { address, width, height, isOpaque: contentType === 'image/jpeg' };
}
