import { type ErrorCode, resultRoutes, snakeCase } from '@clearframe/contract';
import type { ActionFunctionArgs } from '@remix-run/node';
import { callApi } from '../../http/api.server';
import { browserAddress } from '../../http/api-addresses.server';
import { asApiError } from '../../http/problem.server';
import { tokenOf } from '../../session/visitor.server';
import { TOOLS } from './choices';
import type { LooksView } from './use-looks';

/** Temporary: a login moves the picture, or it is processed again. The page asks again. */
const TEMPORARY: readonly ErrorCode[] = ['tasks.not_found', 'tasks.wrong_state', 'users.not_authorized'];

/** Orders the pictures of all looks, or returns their progress; idempotent. */
export async function action({ request, context, params }: ActionFunctionArgs): Promise<Response> {
  try {
    const token = await tokenOf(request, context);
    const { status, looks } = await callApi(
      resultRoutes.createLooks,
      { params: { taskId: params.taskId ?? '' } },
      { context, request, token },
    );
    const view: LooksView = {
      isPending: status === 'pending',
      urls: Object.fromEntries(
        looks.map(({ tool, model, url }) => [
          `${TOOLS.find((one) => snakeCase(one) === tool)}.${model}`,
          browserAddress(url, context.settings),
        ]),
      ),
    };
    return Response.json(view);
  } catch (error) {
    const problem = asApiError(error, { request, context });
    if (TEMPORARY.includes(problem.code)) return Response.json({ isPending: true, urls: {} } satisfies LooksView);
    throw problem;
  }
}
