import { taskRoutes, type User, userRoutes } from '@clearframe/contract';
import { callApi } from '../../http/api.server';
import { orNull } from '../../http/problem.server';
import { translatorFor } from '../../i18n/i18n.server';
import { asVisitor, type Exchange, visitorOf } from '../../session/visitor.server';
import { taskViewOf } from '../tasks/task.server';
import { taskAddress } from '../tasks/task-view';

/** Whole rows in two and three columns. */
const SHOWN = 6;
/** Some may have failed. */
const READ = 12;

/**
 * What a member returns to: the last results, and what is left of the plan. Null for guests, and for members without
 * results, who see what the product does. Translated here: the page's script needs no messages of the account.
 */
export async function loadWorkspace(exchange: Exchange) {
  const { request, context } = exchange;
  const visitor = await visitorOf(request, context);
  if (visitor.kind === 'guest') return null;
  const loaded = await orNull(
    asVisitor(exchange, (token) => {
      const caller = { request, context, token, timeoutMs: context.settings.optionalDataTimeoutMs };
      return Promise.all([
        callApi(taskRoutes.listTasks, { query: { limit: READ, status: ['completed', 'exported'] } }, caller),
        callApi(userRoutes.getCurrentUser, {}, caller),
      ]);
    }),
    exchange,
  );
  if (!loaded) return null;
  const t = await translatorFor(request, 'account');
  const [{ data }, user] = loaded.result;
  const recent = data
    .map((task) => taskViewOf(task, context))
    .flatMap((task) => {
      const { thumbnailUrl } = task.display;
      if (!thumbnailUrl) return [];
      return { address: taskAddress(task), thumbnailUrl, name: task.fileName ?? t('history.nameless') };
    })
    .slice(0, SHOWN);
  if (recent.length === 0) return null;
  return {
    recent,
    title: t('history.title'),
    allowance: { title: t('limits.downloads'), text: allowanceOf(user, t) },
    hasPlan: user.role === 'personal' || user.role === 'business',
  };
}

export type WorkspaceView = NonNullable<Awaited<ReturnType<typeof loadWorkspace>>>;

function allowanceOf(
  { limits: { exports, exportsUsed }, availableCredits }: User,
  t: Awaited<ReturnType<typeof translatorFor<'account'>>>,
): string {
  if (exports === null) return t('limits.unlimited');
  return t('limits.left', { count: Math.max(0, exports - exportsUsed) + availableCredits });
}
