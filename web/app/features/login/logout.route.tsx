import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import { readForm } from '../../http/form.server';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';
import { throwPageFor } from '../../http/problem.server';
import { forgetPhotos } from '../../session/photos-state.server';
import { createGuest, endMemberSessions, tokensOf, visitorOf } from '../../session/visitor.server';
import { trackOperation } from '../telemetry/operations.server';
import { endSession } from './login.server';
import { guestDestination } from './login-address';

const logoutForm = z.object({ [RETURN_PARAMETER]: z.string().optional() });

export function loader({ context }: LoaderFunctionArgs) {
  return throwPageFor('request.not_found', context);
}

/** Ends a member's session, with `reset` a guest's too, and creates a new guest. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { search, searchParams } = new URL(request.url);
  const headers = new Headers({ 'cache-control': 'no-store' });
  const { from = null } = request.headers.get('content-type') ? await readForm(request, context, logoutForm) : {};
  const { kind } = await visitorOf(request, context);
  if (kind === 'member' || searchParams.has('reset')) {
    await trackOperation({ kind: 'logout', details: {} }, { request, context }, async () => {
      for (const token of await tokensOf(request, context)) await endSession(token, context);
      await endMemberSessions({ request, context, headers });
      await forgetPhotos(context, headers);
    });
    // If this fails, the next page creates the guest.
    const guest = await createGuest(request, context).catch(() => null);
    if (guest) headers.append('set-cookie', guest.setCookie);
  }
  return redirect(preserveVersionParam(guestDestination(from), search), { status: 303, headers });
}

/** Never rendered: errors of the action get an error page. */
export default function LogoutRoute() {
  return null;
}
