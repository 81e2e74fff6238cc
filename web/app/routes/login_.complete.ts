import type { ActionFunctionArgs } from '@remix-run/node';
import { signIn } from '../features/identity/login/login.server';
import { readFields } from '../http/form.server';
import { asApiError, problemResponse } from '../http/problem.server';

/** Called by the login form's script with the provider's token. */
export async function action({ request, context }: ActionFunctionArgs) {
  const headers = new Headers({ 'cache-control': 'no-store' });
  const idToken = (await readFields(request, context)).get('idToken') ?? '';
  try {
    const { user, next } = await signIn(idToken, { request, context, headers });
    return Response.json({ createdAt: user.createdAt, role: user.role, next }, { headers });
  } catch (error) {
    return problemResponse(asApiError(error, context), headers);
  }
}
