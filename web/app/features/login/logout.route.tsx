import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { seeOther } from '../../http/answer.server';
import { readForm } from '../../http/form.server';
import { RETURN_PARAMETER } from '../../http/internal-address';
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
  const { searchParams } = new URL(request.url);
  const { from = null } = request.headers.get('content-type') ? await readForm(request, context, logoutForm) : {};
  const { kind } = await visitorOf(request, context);
  if (kind === 'member' || searchParams.has('reset')) {
    await trackOperation({ kind: 'logout', details: {} }, { request, context }, async () => {
      for (const token of await tokensOf(request, context)) await endSession(token, context);
      await endMemberSessions({ request, context });
      await forgetPhotos(context);
    });
    // If this fails, the next page creates the guest.
    await createGuest(request, context).catch(() => null);
  }
  return seeOther(guestDestination(from), request);
}

/** Never rendered: errors of the action get an error page. */
export default function LogoutRoute() {
  return null;
}
