import { roleOf } from '@clearframe/contract';
import type { ActionFunctionArgs } from '@remix-run/node';
import { signIn } from '../features/login/login.server';
import { standingOf, standingWith } from '../features/user/standing.server';
import { asApiError, problemResponse } from '../problem.server';
import { readSmallForm } from '../small-form.server';

/** For the script of the login form: takes what the provider has given. */
export async function action({ request, context }: ActionFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const idToken = (await readSmallForm(request, context)).get('idToken') ?? '';
  try {
    const { user, next } = await signIn(idToken, { request, context, headers });
    // Whoever is logged in by now stays so, whatever their plan.
    const standing = await standingOf(user, context).catch(() => standingWith(user, null));
    return Response.json({ createdAt: user.createdAt, role: roleOf(standing), next }, { headers });
  } catch (error) {
    return problemResponse(asApiError(error, context), headers);
  }
}
