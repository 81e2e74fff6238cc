import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { endSession } from '../features/identity/login/login.server';
import { guestDestination } from '../features/identity/login/login-address';
import { readFields } from '../http/form.server';
import { preserveVersionParam, RETURN_PARAMETER } from '../http/landing';
import { throwPageFor } from '../http/problem.server';
import { createGuest, endMemberSessions, tokensOf, visitorOf } from '../session/visitor.server';

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

/** Ends the session and goes on as a fresh guest; `reset` does that to a guest as well. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const from = request.headers.get('content-type') ? (await readFields(request, context)).get(RETURN_PARAMETER) : null;
  const { kind } = await visitorOf(request, context);
  if (kind === 'member' || searchParams.has('reset')) {
    for (const token of await tokensOf(request, context)) await endSession(token, context);
    await endMemberSessions({ request, context, headers });
    // Where none can be had now, the next page tries again.
    const welcome = await createGuest(request, context).catch(() => null);
    if (welcome) headers.append('set-cookie', welcome.setCookie);
  }
  return redirect(preserveVersionParam(guestDestination(from), search), { status: 303, headers });
}

/** Never shown. Without a component, errors of the action would not get an error page. */
export default function NotFoundRoute() {
  return null;
}
